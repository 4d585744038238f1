import { assertNever } from "@holo/kernel/assert.ts";
import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { ASK, type DepositEffect, setStatus, toNextAttemptAt, waitUntil } from "../effect/effect.ts";
import type { PaymentReasonCode } from "../payment-base.ts";
import type { Disputes } from "../provider/provider-status.ts";
import {
  type CreditedDeposit,
  type Deposit,
  type HeldDeposit,
  isAllocationPending,
  type ReversedDeposit,
} from "./deposit.ts";

/** The bank takes a lost dispute's money within days. Afterwards it is for staff. */
const LOST_DISPUTE_SLOW_MS = 14 * DAY_MS;
/** The bank returns the money of a won dispute within days. */
const WON_DISPUTE_SLOW_MS = 14 * DAY_MS;

export interface DisputeContext extends Disputes {
  readonly now: Instant;
}

/** Whether a dispute is open, or lost while the bank has not taken the charge yet. */
export function isInDispute({ hasOpenDispute, disputeLostAt }: Disputes): boolean {
  return hasOpenDispute || disputeLostAt !== null;
}

/** As `isInDispute`, without a lost dispute that the bank has not collected for two weeks. */
export function isLeftToBank({ hasOpenDispute, disputeLostAt, now }: DisputeContext): boolean {
  return hasOpenDispute || (disputeLostAt !== null && now - disputeLostAt < LOST_DISPUTE_SLOW_MS);
}

/**
 * Each open dispute takes no coins but blocks withdrawals. A won one returns a reversed deposit.
 * `isDeclined`: it ended in the platform's favour; null while it is open.
 */
export function decideDispute(deposit: Deposit, isDeclined: boolean | null, context: DisputeContext): DepositEffect {
  if (isDeclined === false) return decideLost(deposit, context);
  if (deposit.type === "taken_back" && isDeclined) return setStatus("review", "dispute_won", context.now);
  if (deposit.type === "reversed" && isDeclined) return ASK;
  if (deposit.type !== "credited" || deposit.allocatedKobo === deposit.kobo) {
    return waitUntil(deposit, deposit.nextAttemptAt);
  }
  if (isDeclined === null) return setStatus("review", "disputed", null, "deposit_disputed");
  if (context.hasOpenDispute) return waitUntil(deposit, deposit.nextAttemptAt);
  if (context.disputeLostAt !== null) return ASK;
  return isAllocationPending(deposit) ? setStatus("review", "under_review", null) : setStatus("completed", null, null);
}

/** The bank takes the money some time after a lost dispute, so the provider is polled for it. */
function decideLost(deposit: Deposit, { now, hasOpenDispute }: DisputeContext): DepositEffect {
  switch (deposit.type) {
    case "taken_back":
      // Of several disputes one was won before: the bank keeps the money all the same.
      return deposit.isUnderReview && !hasOpenDispute ? setStatus("reversed", "reversed_by_bank", null) : ASK;
    case "credited":
      if (deposit.allocatedKobo === deposit.kobo) return waitUntil(deposit, deposit.nextAttemptAt);
      // The webhook of its start may be lost.
      return deposit.isUnderReview ? ASK : setStatus("review", "disputed", now, "deposit_disputed");
    case "refunding":
    case "refunded":
      return waitUntil(deposit, deposit.nextAttemptAt);
    case "held":
    case "reversed":
    case "unpaid":
      return ASK;
    default:
      return assertNever(deposit);
  }
}

/** Polls a reversed charge after a won dispute, since the bank returns the money later. */
export function awaitReturn(deposit: ReversedDeposit, { now, disputeWonAt }: DisputeContext): DepositEffect {
  const isAwaited = disputeWonAt !== null && now - disputeWonAt < WON_DISPUTE_SLOW_MS;
  return waitUntil(deposit, isAwaited ? toNextAttemptAt(deposit, now) : null);
}

/** The charge is not reversed yet. If that takes two weeks, an alert leaves the case to staff. */
export function awaitReversal(
  deposit: CreditedDeposit | HeldDeposit,
  { now, disputeLostAt }: DisputeContext,
): DepositEffect {
  const next = toNextAttemptAt(deposit, now);
  return disputeLostAt !== null && now - disputeLostAt >= LOST_DISPUTE_SLOW_MS
    ? setStatus("review", "under_review", next, "dispute_uncollected")
    : waitUntil(deposit, next);
}

/** Polled after a lost dispute, since the bank takes the money later. */
export function holdForStaff(
  deposit: Deposit,
  reason: PaymentReasonCode,
  alert: string,
  { now, disputeLostAt }: DisputeContext,
): DepositEffect {
  return setStatus("review", reason, disputeLostAt === null ? null : toNextAttemptAt(deposit, now), alert);
}
