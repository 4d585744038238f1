import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import { type Kobo, toCoins, toKobo } from "@holo/kernel/money.ts";
import type { PaymentReasonCode } from "@holo/protocol/payments/payment-reasons.ts";
import type { DepositContext } from "../deposit/decide-deposit.ts";
import type { Deposit } from "../deposit/deposit.ts";
import type { DepositEffect, WithdrawalEffect } from "../effect/effect.ts";
import type { PaymentMoney } from "../payment.ts";
import type { PaymentStatus } from "../payment-base.ts";
import type { ProviderCharge, ProviderTransfer } from "../provider/provider-status.ts";
import { type PaymentRow, parsePayment } from "../store/payment-row.ts";
import type { Withdrawal } from "../withdrawal/withdrawal.ts";

export const NOW = toInstant(Date.UTC(2026, 0, 1));
const REFERENCE = "dep-0123456789abcdef";
const RATE_KOBO = 30_600;

interface TestState {
  readonly kind?: "withdrawal" | "revenue";
  readonly status?: PaymentStatus;
  readonly money?: PaymentMoney;
  readonly reason?: PaymentReasonCode;
  readonly payerFeeKobo?: Kobo;
  readonly refundedKobo?: Kobo;
  readonly allocatedKobo?: Kobo;
  readonly authorizationUrl?: string | null;
  readonly createdAt?: Instant;
  readonly completedAt?: Instant;
  readonly sentAt?: Instant | null;
  readonly notFoundSince?: Instant | null;
  readonly attempts?: number;
}

const toBigInt = (at: Instant | null): bigint | null => (at === null ? null : BigInt(at));

function makeRow(state: TestState): PaymentRow {
  return {
    id: "p" as PaymentId,
    kind: "deposit",
    player_id: "ada" as PlayerId,
    command_id: "c" as CommandId,
    kobo: toKobo(500_000n),
    rate_kobo: RATE_KOBO,
    coins: toCoins(16_339_870n),
    fee_kobo: null,
    payer_fee_kobo: state.payerFeeKobo ?? toKobo(0n),
    status: state.status ?? "pending",
    money: state.money ?? "none",
    reference: REFERENCE,
    reason: state.reason ?? null,
    reason_kobo: null,
    authorization_url: state.authorizationUrl === undefined ? "https://checkout.example/x" : state.authorizationUrl,
    bank_code: null,
    bank_name: null,
    account_number: null,
    account_name: null,
    recipient_code: null,
    created_at: BigInt(state.createdAt ?? addMs(NOW, -MINUTE_MS)),
    completed_at: toBigInt(state.completedAt ?? null),
    updated_at: BigInt(NOW),
    attempts: state.attempts ?? 0,
    next_attempt_at: BigInt(NOW),
    sent_at: toBigInt(state.sentAt ?? null),
    asked_since: toBigInt(state.notFoundSince ?? null),
    refunded_kobo: state.refundedKobo ?? toKobo(0n),
    allocated_kobo: state.allocatedKobo ?? toKobo(0n),
    sent_kobo: null,
    paid_at: null,
  };
}

/** A deposit that began a minute ago. */
export function makeTestDeposit(state: TestState = {}): Deposit {
  return parsePayment(makeRow(state)) as Deposit;
}

export function makeTestWithdrawal(state: TestState = {}): Withdrawal {
  const account = { bank_code: "057", bank_name: "Zenith", account_number: "0123456789", account_name: "ADA" };
  const row = makeRow({ status: "processing", money: "held", sentAt: NOW, ...state });
  return parsePayment({ ...row, ...account, kind: state.kind ?? "withdrawal" }) as Withdrawal;
}

/** Without anything that could forbid a credit. */
export function makeContext(change: Partial<DepositContext> = {}): DepositContext {
  const exceptions = { isAccountDeleted: false, isRestricted: false, isAboveLimit: false };
  const disputes = { hasOpenDispute: false, disputeLostAt: null, disputeWonAt: null };
  return { now: NOW, paidAt: NOW, rateAtPaymentKobo: RATE_KOBO, ...exceptions, ...disputes, ...change };
}

export function makeProviderCharge(change: Partial<ProviderCharge> = {}): ProviderCharge {
  const amounts = { amount: 500_000n, requestedAmount: 500_000n, fees: 17_500n };
  return { id: "1", reference: REFERENCE, status: "success", currency: "NGN", paidAt: NOW, ...amounts, ...change };
}

export function makeProviderTransfer(change: Partial<ProviderTransfer> = {}): ProviderTransfer {
  const transfer = { id: "1", reference: REFERENCE, status: "success", amount: 500_000n } as const;
  return { ...transfer, currency: "NGN", fee: 1_000n, failure: null, ...change };
}

export const nameOf = (effect: DepositEffect | WithdrawalEffect): string =>
  effect.type === "set_status" ? effect.status : effect.type;
