import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import { RATE_KEPT_MS } from "@holo/protocol/payment-terms.ts";
import { makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

interface DepositBase extends PaymentBase {
  readonly kind: "deposit";
  /** The provider's fee that the payer pays on top; 0 where the platform bears it (ruling 10). */
  readonly payerFeeKobo: Kobo;
  /** The checkout; null until the provider has opened one. */
  readonly authorizationUrl: string | null;
  /** When the provider was paid; null before, and where it is not known. */
  readonly paidAt: Instant | null;
}

/** Not paid yet: open, declined or given up. A later success still credits it. */
export interface UnpaidDeposit extends DepositBase {
  readonly type: "unpaid";
}

/** Paid but not credited: staff decide. */
export interface HeldDeposit extends DepositBase {
  readonly type: "held";
}

/** On its way back to its payer. */
export interface RefundingDeposit extends DepositBase {
  readonly type: "refunding";
  readonly sentAt: Instant;
  /** Since when the provider has listed no refund of it. */
  readonly notFoundSince: Instant | null;
  /** Whether its coins were credited and taken back before. */
  readonly wasCredited: boolean;
}

/** Returned to its payer without having been credited. */
interface RefundedDeposit extends DepositBase {
  readonly type: "refunded";
  readonly sentAt: Instant;
  readonly completedAt: Instant;
}

/** Reversed by the payer's bank before it was credited. */
interface ReversedDeposit extends DepositBase {
  readonly type: "reversed";
}

/** Its coins are the player's. */
export interface CreditedDeposit extends DepositBase {
  readonly type: "credited";
  /** Whether its coins were taken back and returned after a won dispute. */
  readonly isRestored: boolean;
  /** Disputed, or waiting for staff to allocate a whole refund. */
  readonly isUnderReview: boolean;
  /** The provider's fee where the platform bears it. */
  readonly providerFeeKobo: Kobo | null;
  /** What the provider has refunded of it, in total. */
  readonly refundedKobo: Kobo;
  /** What of the refunded kobo staff have allocated to the player or the platform, in total. */
  readonly allocatedKobo: Kobo;
}

/** Its coins were taken back whole after a reversal. */
export interface TakenBackDeposit extends DepositBase {
  readonly type: "taken_back";
  /** A dispute was won, or the coins came again after the account's deletion. */
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

/** What the payer is asked for: the amount and the fee that they bear. */
export function toRequestedKobo({ kobo, payerFeeKobo }: Pick<Deposit, "kobo" | "payerFeeKobo">): Kobo {
  return toKobo(kobo + payerFeeKobo);
}

/** Until when it keeps the exchange rate that its player was shown (ruling 35). */
export function toRateEndAt({ createdAt }: Pick<Deposit, "createdAt">): Instant {
  return addMs(createdAt, RATE_KEPT_MS);
}

/** Whether the player can still pay it at its checkout. */
export function isPayable(deposit: Deposit): deposit is UnpaidDeposit & { readonly authorizationUrl: string } {
  const isOpen = deposit.type === "unpaid" && (deposit.status === "pending" || deposit.status === "abandoned");
  return isOpen && deposit.authorizationUrl !== null && deposit.nextAttemptAt !== null;
}

/** Whether staff have to allocate a refund of a credited deposit. */
export function isAllocationPending(deposit: Deposit): deposit is CreditedDeposit {
  return deposit.type === "credited" && deposit.refundedKobo > deposit.allocatedKobo;
}
