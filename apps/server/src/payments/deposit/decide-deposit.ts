import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import {
  ASK,
  type DepositEffect,
  keepUnchanged,
  NOT_FOUND_MS,
  setStatus,
  toNextAttemptAt,
  UNPAID_MS,
  waitUntil,
} from "../effect/effect.ts";
import { makeReason, type PaymentReason } from "../payment-base.ts";
import type { ProviderCharge, ProviderRefund } from "../provider/provider-status.ts";
import {
  awaitReturn,
  awaitReversal,
  type DisputeContext,
  decideDispute,
  holdForStaff,
  isInDispute,
} from "./decide-dispute.ts";
import { decideRefund, decideRefunded, decideRefundRefused, finishRefund, sumProcessed } from "./decide-refund.ts";
import {
  type CreditedDeposit,
  type Deposit,
  type HeldDeposit,
  type ReversedDeposit,
  type TakenBackDeposit,
  toRateEndAt,
  toRequestedKobo,
  type UnpaidDeposit,
} from "./deposit.ts";

export type DepositReport =
  | {
      readonly type: "charge";
      /** Null: the provider knows no such charge. */
      readonly charge: ProviderCharge | null;
      /** Undefined: the provider was not asked for them. */
      readonly refunds?: readonly ProviderRefund[];
    }
  | { readonly type: "player_returned"; readonly charge: ProviderCharge | null }
  /** `isDeclined`: the dispute ended in the platform's favour; null while it is open. */
  | { readonly type: "dispute"; readonly isDeclined: boolean | null }
  | {
      readonly type: "ordered_refund";
      readonly charge: ProviderCharge | null;
      readonly refunds: readonly ProviderRefund[];
    }
  | { readonly type: "refund_refused" }
  | { readonly type: "event" };

/** What a decision depends on besides the deposit and the report, read under the deposit's lock. */
export interface DepositContext extends DisputeContext {
  /** When the deposit was paid; `now` if the provider does not say. */
  readonly paidAt: Instant;
  /** Kobo for one holocoin when it was paid. */
  readonly rateAtPaymentKobo: number;
  readonly isAccountDeleted: boolean;
  /** Banned, self-excluded or closing the account (ruling 36). */
  readonly isRestricted: boolean;
  /** Whether crediting the deposit now would exceed a deposit limit that its player set. */
  readonly isAboveLimit: boolean;
}

/**
 * The final decision on a report. Only a success of the exact amount, currency and reference is
 * credited; others are held for staff. A failed or abandoned deposit may still be paid.
 */
export function decideDeposit(deposit: Deposit, report: DepositReport, context: DepositContext): DepositEffect {
  switch (report.type) {
    case "charge":
      return report.refunds === undefined
        ? decideCharge(deposit, report.charge, context)
        : decideChargeWithRefunds(deposit, report.charge, report.refunds, context);
    case "player_returned":
      return decideReturn(deposit, report.charge, context);
    case "dispute":
      return decideDispute(deposit, report.isDeclined, context);
    case "ordered_refund":
      return decideRefund(deposit, report.charge, report.refunds, context);
    case "refund_refused":
      return decideRefundRefused(deposit, context);
    case "event":
      return ASK;
    default:
      return assertNever(report);
  }
}

function decideCharge(deposit: Deposit, charge: ProviderCharge | null, context: DepositContext): DepositEffect {
  const isReversed = charge?.status === "reversed";
  switch (deposit.type) {
    case "refunding":
      // The provider reports a success until the refund is processed.
      return isReversed ? finishRefund(deposit) : waitUntil(deposit, deposit.nextAttemptAt);
    case "taken_back":
      return decideTakenBack(deposit, charge, context);
    case "credited":
      return decideCredited(deposit, isReversed, context);
    case "reversed":
      return decideReversed(deposit, charge, context);
    case "refunded":
      return keepUnchanged(deposit);
    case "held":
    case "unpaid":
      return decideUncredited(deposit, charge, context);
    default:
      return assertNever(deposit);
  }
}

function decideUncredited(
  given: UnpaidDeposit | HeldDeposit,
  charge: ProviderCharge | null,
  context: DepositContext,
): DepositEffect {
  const { now } = context;
  const deposit = given.reason?.code === "awaiting_provider" ? { ...given, reason: null } : given;
  const ageMs = now - deposit.createdAt;
  const isHeld = deposit.type === "held";
  const isOver = ageMs >= UNPAID_MS;
  const next = isOver ? null : toNextAttemptAt(deposit, now);
  if (charge === null) {
    // Without a checkout it cannot be paid.
    const isLost = isOver || (deposit.authorizationUrl === null && ageMs >= NOT_FOUND_MS);
    return isLost && !isHeld ? setStatus("failed", "never_started", null) : waitUntil(deposit, next);
  }
  switch (charge.status) {
    case "success":
      if (isHeld) {
        return context.disputeLostAt !== null ? awaitReversal(deposit, context) : keepUnchanged(deposit);
      }
      return isExactAmount(deposit, charge)
        ? decideCredit(deposit, charge, context)
        : holdForStaff(deposit, "amount_differs", "deposit_differs", context);
    case "reversed":
      return setStatus("reversed", "reversed_by_bank", null);
    case "failed":
      return isHeld ? waitUntil(deposit, null) : setStatus("failed", "declined", next);
    case "abandoned":
      // The provider also calls a charge abandoned before anyone has paid it.
      return isHeld || !isOver ? waitUntil(deposit, next) : setStatus("abandoned", "not_completed", null);
    case "ongoing":
    case "pending":
    case "processing":
    case "queued":
      return waitUntil(deposit, toNextAttemptAt(deposit, now));
    default:
      return assertNever(charge.status);
  }
}

/** The bank took it before it was credited. If it returns the money, staff decide. */
function decideReversed(
  deposit: ReversedDeposit,
  charge: ProviderCharge | null,
  context: DepositContext,
): DepositEffect {
  if (charge?.status !== "success") return awaitReturn(deposit, context);
  const reason = isExactAmount(deposit, charge) ? "under_review" : "amount_differs";
  return holdForStaff(deposit, reason, "deposit_given_back", context);
}

/**
 * Credits an exact payment, with exceptions in this order: a deleted account's payment is held, and
 * that of a restricted player or above the player's limit is refunded, unless disputed.
 */
function decideCredit(deposit: UnpaidDeposit, charge: ProviderCharge, context: DepositContext): DepositEffect {
  const isDisputed = isInDispute(context);
  if (context.isAccountDeleted) return holdForStaff(deposit, "account_deleted", "deposit_after_leaving", context);
  if (context.isRestricted) {
    return isDisputed
      ? holdForStaff(deposit, "restricted_disputed", "deposit_while_restricted", context)
      : { type: "start_refund", reason: makeReason("restricted_refunding") };
  }
  if (context.isAboveLimit) {
    return isDisputed
      ? holdForStaff(deposit, "above_limit_disputed", "deposit_beyond_limit", context)
      : { type: "start_refund", reason: makeReason("above_limit_refunding") };
  }
  const providerFeeKobo = toPlatformShareOfFee(deposit, charge);
  const rateKobo = toCreditRate(deposit, context);
  const reason = explainRate(deposit, rateKobo);
  return {
    type: "credit",
    providerFeeKobo,
    paidAt: context.paidAt,
    rateKobo,
    reason,
    isDisputed,
    isAskedAgain: true,
  };
}

/**
 * The deposit's own rate if it was paid in time, else that of the payment (ruling 35). A longer
 * promise would be an option on the rate.
 */
export function toCreditRate(
  deposit: Pick<Deposit, "createdAt" | "rateKobo">,
  { paidAt, rateAtPaymentKobo }: Pick<DepositContext, "paidAt" | "rateAtPaymentKobo">,
): number {
  return paidAt <= toRateEndAt(deposit) ? deposit.rateKobo : rateAtPaymentKobo;
}

function explainRate(deposit: Deposit, rateKobo: number): PaymentReason | null {
  if (rateKobo === deposit.rateKobo) return null;
  const code = rateKobo > deposit.rateKobo ? "rate_fewer_coins" : "rate_more_coins";
  return makeReason(code, toKobo(BigInt(rateKobo)));
}

function decideCredited(deposit: CreditedDeposit, isReversed: boolean, context: DepositContext): DepositEffect {
  if (isReversed) return decideWholeRefund(deposit, context);
  // A restored deposit is also under review because of a refund that staff allocate.
  const isDisputed = deposit.isUnderReview && (!deposit.isRestored || context.disputeLostAt !== null);
  return isDisputed ? awaitReversal(deposit, context) : keepUnchanged(deposit);
}

/**
 * A part that was taken before must not be taken again with the whole. Nothing would return the
 * rest after a won dispute: staff allocate it.
 */
function decideWholeRefund(deposit: CreditedDeposit, { hasOpenDispute }: DepositContext): DepositEffect {
  const { isRestored, allocatedKobo, refundedKobo, kobo } = deposit;
  if (!isRestored && allocatedKobo === 0n) return { type: "take_back" };
  if (!isRestored && !hasOpenDispute && allocatedKobo < kobo) return { type: "take_part", refundedKobo: kobo };
  if (refundedKobo === kobo) return keepUnchanged(deposit);
  const alert = isRestored ? "deposit_reversed_again" : "deposit_refunded";
  return { type: "record_refund", kobo: deposit.kobo, status: "review", reason: makeReason("under_review"), alert };
}

/** What the provider has refunded of the deposit in total, at most the deposit. */
export function toRefundedKobo(
  { kobo }: Pick<Deposit, "kobo">,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
): Kobo {
  if (charge?.status === "reversed") return kobo;
  const processed = sumProcessed(refunds);
  return processed < kobo ? toKobo(processed) : kobo;
}

/** A refund of a part leaves its charge a success. It is taken back at once (ruling 53). */
function decideChargeWithRefunds(
  deposit: Deposit,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  context: DepositContext,
): DepositEffect {
  if (deposit.type === "refunded") return decideRefunded(deposit, charge, refunds, context);
  if (charge?.status !== "success" || deposit.type !== "credited") {
    const effect = decideCharge(deposit, charge, context);
    return effect.type === "credit" ? { ...effect, isAskedAgain: sumProcessed(refunds) > 0n } : effect;
  }
  const refundedKobo = toRefundedKobo(deposit, charge, refunds);
  if (refundedKobo <= deposit.refundedKobo) return decideCharge(deposit, charge, context);
  // The provider may report it as reversed later.
  if (sumProcessed(refunds) >= charge.amount) return decideWholeRefund(deposit, context);
  return { type: "take_part", refundedKobo };
}

/**
 * A reversal is final, unless a dispute was won since: then the provider is polled for the money.
 */
function decideTakenBack(
  deposit: TakenBackDeposit,
  charge: ProviderCharge | null,
  context: DepositContext,
): DepositEffect {
  if (!deposit.isUnderReview) return keepUnchanged(deposit);
  const isBack = charge?.status === "success" && isCreditedAmount(deposit, charge);
  if (!isBack || context.hasOpenDispute) return waitUntil(deposit, toNextAttemptAt(deposit, context.now));
  return context.isAccountDeleted
    ? setStatus("review", "account_deleted", null, "deposit_after_leaving")
    : { type: "restore" };
}

/** A player who returns without having paid is notified and may still pay. */
function decideReturn(deposit: Deposit, charge: ProviderCharge | null, context: DepositContext): DepositEffect {
  const isUnpaid = deposit.type === "unpaid" && deposit.status === "pending" && charge?.status === "abandoned";
  return isUnpaid
    ? setStatus("abandoned", "not_completed", toNextAttemptAt(deposit, context.now))
    : decideCharge(deposit, charge, context);
}

function isOwnCharge({ reference }: Deposit, charge: ProviderCharge): boolean {
  return charge.currency === "NGN" && charge.reference === reference;
}

/** What was credited: the exact amount, or another one that arrived and staff credited. */
function isCreditedAmount(deposit: TakenBackDeposit, charge: ProviderCharge): boolean {
  const isWhole = isOwnCharge(deposit, charge) && charge.amount === toRequestedKobo(deposit);
  return isWhole || isExactAmount(deposit, charge);
}

/** Exactly the requested amount, or that amount plus the provider's fee. */
function isExactAmount(deposit: Deposit, charge: ProviderCharge): boolean {
  if (!isOwnCharge(deposit, charge)) return false;
  const requested = toRequestedKobo(deposit);
  if (charge.amount === requested) return charge.requestedAmount === null || charge.requestedAmount === requested;
  return charge.requestedAmount === requested && charge.fees !== null && charge.amount - charge.fees === requested;
}

function toPlatformShareOfFee(deposit: Deposit, charge: ProviderCharge): Kobo | null {
  if (charge.fees === null || charge.amount !== toRequestedKobo(deposit)) return null;
  const share = charge.fees - deposit.payerFeeKobo;
  return share <= 0n ? null : toKobo(share);
}
