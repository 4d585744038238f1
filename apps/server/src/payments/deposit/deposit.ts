import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import { RATE_KEPT_MS } from "@holo/protocol/payments/payment-terms.ts";
import { makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

interface DepositBase extends PaymentBase {
  readonly kind: "deposit";
  /** The provider's fee that the payer pays on top; 0 if the platform bears it (ruling 10). */
  readonly payerFeeKobo: Kobo;
  readonly authorizationUrl: string | null;
  /** Null before the payment, and if the provider does not say. */
  readonly paidAt: Instant | null;
}

/** Not paid yet: open, declined or abandoned. A later success still credits it. */
export interface UnpaidDeposit extends DepositBase {
  readonly type: "unpaid";
}

export interface HeldDeposit extends DepositBase {
  readonly type: "held";
}

export interface RefundingDeposit extends DepositBase {
  readonly type: "refunding";
  readonly sentAt: Instant;
  /** Since when the provider has listed no refund of it. */
  readonly notFoundSince: Instant | null;
  /** Whether its coins were credited and taken back before. */
  readonly wasCredited: boolean;
}

export interface RefundedDeposit extends DepositBase {
  readonly type: "refunded";
  readonly sentAt: Instant;
  readonly completedAt: Instant;
  /** Whether its coins were credited and taken back before. */
  readonly wasCredited: boolean;
}

export interface ReversedDeposit extends DepositBase {
  readonly type: "reversed";
}

export interface CreditedDeposit extends DepositBase {
  readonly type: "credited";
  /** Whether its coins were taken back and returned after a won dispute. */
  readonly isRestored: boolean;
  /** Disputed, or waiting for staff to allocate a whole refund. */
  readonly isUnderReview: boolean;
  readonly providerFeeKobo: Kobo | null;
  /** What the provider has refunded of it, in total. */
  readonly refundedKobo: Kobo;
  /** The allocated part of `refundedKobo`, in total. */
  readonly allocatedKobo: Kobo;
}

export interface TakenBackDeposit extends DepositBase {
  readonly type: "taken_back";
  /** A dispute was won, or the coins returned after the account's deletion. */
  readonly isUnderReview: boolean;
}

export type Deposit =
  | UnpaidDeposit
  | HeldDeposit
  | RefundingDeposit
  | RefundedDeposit
  | ReversedDeposit
  | CreditedDeposit
  | TakenBackDeposit;

export function makeDeposit(given: NewPaymentFields & { readonly payerFeeKobo: Kobo }): UnpaidDeposit {
  const { payerFeeKobo, ...fields } = given;
  const base = makePaymentBase("deposit", fields, "pending");
  return { ...base, kind: "deposit", type: "unpaid", payerFeeKobo, authorizationUrl: null, paidAt: null };
}

export function toRequestedKobo({ kobo, payerFeeKobo }: Pick<Deposit, "kobo" | "payerFeeKobo">): Kobo {
  return toKobo(kobo + payerFeeKobo);
}

/** Until when it keeps the exchange rate that its player was shown (ruling 35). */
export function toRateEndAt({ createdAt }: Pick<Deposit, "createdAt">): Instant {
  return addMs(createdAt, RATE_KEPT_MS);
}

export function isPayable(deposit: Deposit): deposit is UnpaidDeposit & { readonly authorizationUrl: string } {
  const isOpen = deposit.type === "unpaid" && (deposit.status === "pending" || deposit.status === "abandoned");
  return isOpen && deposit.authorizationUrl !== null && deposit.nextAttemptAt !== null;
}

export function isAllocationPending(deposit: Deposit): deposit is CreditedDeposit {
  return deposit.type === "credited" && deposit.refundedKobo > deposit.allocatedKobo;
}
