import { assertNever } from "@holo/kernel/assert.ts";
import { DAY_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import {
  type DepositFact,
  type DepositState,
  type DepositWhy,
  type DisputeStage,
  hasDispute,
  isDisputed,
  type RefundCause,
  toDepositResidue,
  toLeftKobo,
} from "./deposit-state.ts";

/** What a decision depends on besides the facts, read under the deposit's lock. */
export interface DepositContext {
  readonly now: Instant;
  readonly isAccountDeleted: boolean;
  /** Banned, self-excluded or closing the account (ruling 36). */
  readonly isRestricted: boolean;
  /** Whether crediting it now would exceed a deposit limit that its player set. */
  readonly isAboveLimit: boolean;
}

/** "Not found" is conclusive after it was repeated this long (ruling 9). */
export const NOT_FOUND_MS = 10 * MINUTE_MS;
/** Refunds take up to ten working days. After a week staff check the provider's pages. */
const REFUND_SLOW_MS = 7 * DAY_MS;

const CLOSED: DepositFact = { type: "closed" };

/**
 * What is done next, as a fact; null: nothing. The machine credits once, at a rate that its caller
 * adds. Afterwards it only takes, whole or in part; only staff give again.
 */
export function decideDeposit(state: DepositState, context: DepositContext): DepositFact | null {
  const left = toLeftKobo(state);
  if (state.keptKobo > left) return toPosted(left);
  if (state.step === "with_staff") return decideWithStaff(state, context);
  if (state.outcome === "unreadable") return toStaff("unreadable");
  switch (state.step) {
    case "open":
      return decideOpen(state, context);
    case "refunding":
      return left === 0n ? CLOSED : decideRefund(state, context);
    case "credited":
    case "closed":
      if (state.refund !== null) return decideRefund(state, context);
      if (toDepositResidue(state) > 0n) return toStaff("money_left");
      return isUncollected(state, context.now) ? toStaff("dispute_uncollected") : null;
    default:
      return assertNever(state.step);
  }
}

function toPosted(keptKobo: bigint): DepositFact {
  return { type: "posted", keptKobo, rateKobo: null };
}

function toRefund(kobo: bigint, cause: RefundCause): DepositFact {
  return { type: "refund_sent", kobo, cause, borneFeeKobo: 0n };
}

function toStaff(why: DepositWhy): DepositFact {
  return { type: "to_staff", why };
}

/** It gives and sends nothing by itself. A refund by staff that fails is told again. */
function decideWithStaff(state: DepositState, context: DepositContext): DepositFact | null {
  const isSettled = toDepositResidue(state) === 0n && !isUncollected(state, context.now);
  if (state.outcome !== "unreadable" && isSettled) return CLOSED;
  return state.refund === null ? null : decideRefund(state, context);
}

function decideOpen(state: DepositState, context: DepositContext): DepositFact | null {
  const left = toLeftKobo(state);
  if (state.inKobo === 0n) return null;
  if (left === 0n) return CLOSED;
  if (!state.isExact) return toStaff("amount_differs");
  if (state.backKobo > 0n) return toStaff("part_gone");
  if (context.isAccountDeleted) return toStaff("account_deleted");
  // The bank collects a disputed one itself, and the money would be paid back twice.
  if (context.isRestricted) {
    return isDisputed(state) ? toStaff("restricted_disputed") : toRefund(left, "restricted");
  }
  if (context.isAboveLimit) {
    return isDisputed(state) ? toStaff("above_limit_disputed") : toRefund(left, "above_limit");
  }
  return toPosted(left);
}

/**
 * The newest refund may not be listed yet, so a missing or failed one is believed after ten
 * minutes.
 */
function decideRefund({ refund, refundStage }: DepositState, { now }: DepositContext): DepositFact | null {
  if (refund === null) return toStaff("refund_missing");
  const ageMs = now - refund.at;
  if (refundStage === "failed" && ageMs >= NOT_FOUND_MS) return toStaff("refund_failed");
  if (refundStage === "none" && ageMs >= NOT_FOUND_MS) return toStaff("refund_missing");
  return ageMs >= REFUND_SLOW_MS ? toStaff("refund_slow") : null;
}

/** The bank moves the money of an ended dispute within days. Afterwards it is for staff. */
const DISPUTE_SETTLES_MS = 14 * DAY_MS;

function findNewest({ disputes }: DepositState, stage: DisputeStage): Instant | null {
  const ends = [...disputes.values()].filter((dispute) => dispute.stage === stage).map(({ at }) => at);
  return ends.length === 0 ? null : toInstant(Math.max(...ends));
}

/**
 * Whether the player has coins of it that the bank should have taken since its dispute was lost.
 */
function isUncollected(state: DepositState, now: Instant): boolean {
  const lostAt = findNewest(state, "lost");
  return lostAt !== null && state.keptKobo > 0n && now - lostAt >= DISPUTE_SETTLES_MS;
}

/**
 * Whether a dispute is open, or lost so lately that the bank still collects it: it would be paid
 * back twice.
 */
export function isLeftToBank(state: DepositState, now: Instant): boolean {
  const lostAt = findNewest(state, "lost");
  return hasDispute(state, "open") || (lostAt !== null && now - lostAt < DISPUTE_SETTLES_MS);
}

/**
 * Whether a part of it may go back to the card at once, because its player asks (ruling 51). Of a
 * disputed one the bank collects the money itself.
 */
export function isCardRefundable(state: DepositState): boolean {
  const { step, isCard, isExact, refund, refundStage } = state;
  if (step !== "credited" || !isCard || !isExact || refund !== null || refundStage === "open") return false;
  return !isDisputed(state) && toDepositResidue(state) === 0n;
}

/** Whether the provider is asked again by the clock. */
export function awaitsAnswer(state: DepositState, now: Instant): boolean {
  if (state.refund !== null || state.step === "with_staff" || state.step === "refunding") return true;
  const wonAt = findNewest(state, "won");
  const isTaken = state.backKobo > 0n && state.refundCause === null;
  const isReturning = wonAt !== null && isTaken && now - wonAt < DISPUTE_SETTLES_MS;
  return isReturning || (findNewest(state, "lost") !== null && toLeftKobo(state) > 0n);
}
