import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Deposit } from "../deposit/deposit.ts";
import type { Payment, PaymentMoney } from "../payment.ts";
import type { BankAccount, PaymentBase, PaymentKind, PaymentReasonCode, PaymentStatus } from "../payment-base.ts";
import type { Withdrawal } from "../withdrawal/withdrawal.ts";

/** A row of `payments`. Instants are ms since 1970. */
export interface PaymentRow {
  readonly id: PaymentId;
  readonly kind: PaymentKind;
  readonly player_id: PlayerId;
  readonly command_id: CommandId;
  readonly kobo: Kobo;
  readonly rate_kobo: number;
  readonly coins: Coins;
  readonly fee_kobo: Kobo | null;
  readonly payer_fee_kobo: Kobo;
  readonly status: PaymentStatus;
  readonly money: PaymentMoney;
  readonly reference: string;
  readonly reason: PaymentReasonCode | null;
  readonly reason_kobo: Kobo | null;
  readonly authorization_url: string | null;
  readonly bank_code: string | null;
  readonly bank_name: string | null;
  readonly account_number: string | null;
  readonly account_name: string | null;
  readonly recipient_code: string | null;
  readonly created_at: bigint;
  readonly completed_at: bigint | null;
  readonly updated_at: bigint;
  readonly attempts: number;
  readonly next_attempt_at: bigint | null;
  readonly sent_at: bigint | null;
  readonly asked_since: bigint | null;
  readonly refunded_kobo: Kobo;
  readonly allocated_kobo: Kobo;
  readonly sent_kobo: Kobo | null;
  readonly paid_at: bigint | null;
}

export const PAYMENT_COLUMNS = sql`id, kind, player_id, command_id, kobo, rate_kobo, coins, fee_kobo, payer_fee_kobo, status, money,
  reference, reason, reason_kobo, authorization_url, bank_code, bank_name, account_number, account_name, recipient_code, created_at,
  completed_at, updated_at, attempts, next_attempt_at, sent_at, asked_since, refunded_kobo, allocated_kobo, sent_kobo, paid_at`;

function toInstantOrNull(ms: bigint | null): Instant | null {
  return ms === null ? null : (Number(ms) as Instant);
}

function parseBase(row: PaymentRow): PaymentBase {
  return {
    id: row.id,
    playerId: row.player_id,
    commandId: row.command_id,
    kobo: row.kobo,
    rateKobo: row.rate_kobo,
    coins: row.coins,
    reference: row.reference,
    status: row.status,
    reason: row.reason === null ? null : { code: row.reason, kobo: row.reason_kobo },
    createdAt: Number(row.created_at) as Instant,
    updatedAt: Number(row.updated_at) as Instant,
    completedAt: toInstantOrNull(row.completed_at),
    attempts: row.attempts,
    nextAttemptAt: toInstantOrNull(row.next_attempt_at),
    sentAt: toInstantOrNull(row.sent_at),
  };
}

function parseDeposit(row: PaymentRow): Deposit {
  const facts = {
    payerFeeKobo: row.payer_fee_kobo,
    authorizationUrl: row.authorization_url,
    paidAt: toInstantOrNull(row.paid_at),
  };
  const base = { ...parseBase(row), kind: "deposit", ...facts } as const;
  const { status, money } = row;
  const { sentAt, completedAt } = base;
  const isUnderReview = status === "review";
  if (money === "credited" || money === "restored") {
    return {
      ...base,
      type: "credited",
      isRestored: money === "restored",
      isUnderReview,
      providerFeeKobo: row.fee_kobo,
      refundedKobo: row.refunded_kobo,
      allocatedKobo: row.allocated_kobo,
    };
  }
  assert(money === "none" || money === "taken_back", `deposit ${row.id} has money ${money}`);
  const wasCredited = money === "taken_back";
  if (status === "reversed" && sentAt !== null && completedAt === null) {
    return { ...base, type: "refunding", sentAt, notFoundSince: toInstantOrNull(row.asked_since), wasCredited };
  }
  // A reversal by the bank keeps the instant of an earlier refund, which failed.
  const isRefunded = status === "reversed" && (!wasCredited || base.reason?.code === "refunded");
  if (isRefunded && sentAt !== null && completedAt !== null) {
    return { ...base, type: "refunded", sentAt, completedAt, wasCredited };
  }
  if (wasCredited) return { ...base, type: "taken_back", isUnderReview };
  if (isUnderReview) return { ...base, type: "held" };
  return { ...base, type: status === "reversed" ? "reversed" : "unpaid" };
}

function parseAccount(row: PaymentRow): BankAccount {
  const { bank_code: bankCode, bank_name: bankName, account_number: accountNumber, account_name: accountName } = row;
  const isWhole = bankCode !== null && bankName !== null && accountNumber !== null && accountName !== null;
  assert(isWhole, `withdrawal ${row.id} has no account`);
  return { bankCode, bankName, accountNumber, accountName };
}

function parseWithdrawal(row: PaymentRow, kind: Withdrawal["kind"]): Withdrawal {
  const facts = {
    account: parseAccount(row),
    payerFeeKobo: row.payer_fee_kobo,
    recipientCode: row.recipient_code,
    sentKobo: row.sent_kobo,
  };
  const base = { ...parseBase(row), kind, ...facts } as const;
  const { sentAt } = base;
  const { money } = row;
  if (money === "held") {
    return sentAt === null
      ? { ...base, type: "held", sentAt }
      : { ...base, type: "sent", sentAt, notFoundSince: toInstantOrNull(row.asked_since) };
  }
  if (money === "paid") return { ...base, type: "paid", providerFeeKobo: row.fee_kobo };
  assert(money === "returned" || money === "lost", `withdrawal ${row.id} has money ${money}`);
  return { ...base, type: money };
}

/**
 * The only place where a row becomes a payment. A state that no release writes is a broken
 * invariant.
 */
export function parsePayment(row: PaymentRow): Payment {
  return row.kind === "deposit" ? parseDeposit(row) : parseWithdrawal(row, row.kind);
}
