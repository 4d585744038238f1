import { type Coins, KOBO_MAX, type Kobo, subtractCoins, toCoinsOut, toKobo } from "@holo/kernel/money.ts";
import type { ReviewEnd } from "@holo/protocol/admin/money.ts";
import {
  type CreditedDeposit,
  type Deposit,
  type HeldDeposit,
  isAllocationPending,
  type TakenBackDeposit,
} from "../deposit/deposit.ts";
import type { WithdrawalEffect } from "../effect/effect.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { makeReason } from "../payment-base.ts";
import { INCONCLUSIVE, type ProviderCharge, type ProviderTransfer } from "../provider/provider-status.ts";
import { isSameTransfer, toProviderFee } from "../withdrawal/decide-withdrawal.ts";
import type { HeldWithdrawal, LostWithdrawal, ReturnedWithdrawal, SentWithdrawal } from "../withdrawal/withdrawal.ts";

export interface ReviewedAmount {
  readonly kobo: Kobo;
  readonly coins: Coins;
}

export interface CreditableCharge {
  readonly kobo: Kobo;
  readonly payerFeeKobo: Kobo;
  readonly providerFeeKobo: Kobo | null;
}

/**
 * What arrived of a deposit, less the fee that its payer bears; null if nothing in naira was paid.
 */
export function toCreditable(deposit: Deposit, charge: ProviderCharge | null): CreditableCharge | null {
  if (charge === null || charge.status !== "success" || charge.currency !== "NGN") return null;
  const fees = charge.fees === null || charge.fees < 0n ? 0n : charge.fees;
  const [borne, own] = deposit.payerFeeKobo > 0n ? [fees, 0n] : [0n, fees];
  const kobo = charge.amount - borne;
  if (kobo <= 0n || kobo > KOBO_MAX) return null;
  return { kobo: toKobo(kobo), payerFeeKobo: toKobo(borne), providerFeeKobo: own === 0n ? null : toKobo(own) };
}

/**
 * Whether staff decide on a deposit without a credit. One whose coins were taken back only belongs
 * here once its player's account is deleted and the bank has returned the money.
 */
export function isHeldForStaff(payment: Payment, isAccountDeleted: boolean): payment is HeldDeposit | TakenBackDeposit {
  if (!isDeposit(payment)) return false;
  if (payment.type !== "taken_back") return payment.type === "held";
  return payment.isUnderReview && isAccountDeleted && payment.reason?.code !== "dispute_won";
}

/** A transfer that was paid, or listed as paid, after its coins had been returned. */
export function isReturnedForStaff(payment: Payment): payment is LostWithdrawal | ReturnedWithdrawal {
  return payment.status === "review" && (payment.type === "lost" || payment.type === "returned");
}

/**
 * What the provider's answer allows: a loss is written off while it is confirmed, and a case is
 * closed once nothing can arrive. Null: neither.
 */
export function toTransferEnd(
  withdrawal: LostWithdrawal | ReturnedWithdrawal,
  transfer: ProviderTransfer | null,
): "write_off" | "close" | null {
  const isPaid = transfer?.status === "success";
  if (withdrawal.type === "lost") return isPaid ? "write_off" : null;
  return isPaid || (transfer !== null && INCONCLUSIVE.includes(transfer.status)) ? null : "close";
}

/** A transfer that the provider reports with another amount, currency or reference. */
export function isDifferingForStaff(payment: Payment): payment is HeldWithdrawal | SentWithdrawal {
  return !isDeposit(payment) && payment.status === "review" && (payment.type === "held" || payment.type === "sent");
}

export interface DifferingTransferEnd {
  readonly end: "count_paid" | "give_back";
  /** What the provider has sent; 0: nothing. */
  readonly sentKobo: bigint;
  readonly effect: WithdrawalEffect;
}

/**
 * What the provider's answer about a differing transfer allows. Held coins are never paid for less
 * than they are worth: the platform bears each difference. Null: nothing yet.
 */
export function toDifferingTransferEnd(
  withdrawal: HeldWithdrawal | SentWithdrawal,
  transfer: ProviderTransfer | null,
): DifferingTransferEnd | null {
  if (transfer === null || transfer.reference !== withdrawal.reference) return null;
  if (INCONCLUSIVE.includes(transfer.status) || isSameTransfer(withdrawal, transfer)) return null;
  if (transfer.status !== "success") {
    const isReversed = transfer.status === "reversed";
    const reason = makeReason(isReversed ? "transfer_reversed" : "transfer_failed");
    const effect = { type: "return_coins", status: isReversed ? "reversed" : "failed", reason } as const;
    return { end: "give_back", sentKobo: 0n, effect };
  }
  if (transfer.currency !== "NGN" || transfer.amount <= 0n || transfer.amount > KOBO_MAX) return null;
  const sentKobo = toKobo(transfer.amount);
  const facts = { sentKobo, providerFeeKobo: toProviderFee(transfer.fee) };
  return sentKobo > withdrawal.kobo
    ? { end: "count_paid", sentKobo, effect: { type: "pay", ...facts } }
    : { end: "give_back", sentKobo, effect: { type: "bear_sent", ...facts } };
}

interface ReviewFacts {
  readonly isCreditable: boolean;
  readonly isAccountDeleted: boolean;
  readonly differing: DifferingTransferEnd | null;
}

export function toReviewEnds(
  payment: Payment,
  { isCreditable, isAccountDeleted, differing }: ReviewFacts,
): readonly ReviewEnd[] {
  if (differing !== null) return [differing.end];
  if (isDeposit(payment) && isAllocationPending(payment)) return ["take", "bear"];
  if (isReturnedForStaff(payment)) return [payment.type === "lost" ? "write_off" : "close"];
  if (!isHeldForStaff(payment, isAccountDeleted)) return [];
  return isCreditable && payment.type === "held" && !isAccountDeleted ? ["credit", "refund"] : ["refund"];
}

/** The refunded and unallocated part, with the coins that would be taken. */
export function toUnallocated(deposit: CreditedDeposit): ReviewedAmount {
  const { kobo, coins, rateKobo, refundedKobo, allocatedKobo } = deposit;
  const refundedCoins = refundedKobo === kobo ? coins : toCoinsOut(refundedKobo, rateKobo);
  return {
    kobo: toKobo(refundedKobo - allocatedKobo),
    coins: subtractCoins(refundedCoins, toCoinsOut(allocatedKobo, rateKobo)),
  };
}
