import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { NOT_FOUND_MS } from "./decide-deposit.ts";
import {
  isFailure,
  toWithdrawalResidue,
  type Wait,
  type WithdrawalFact,
  type WithdrawalState,
} from "./withdrawal-state.ts";

/**
 * What is done next, as a fact; null: nothing. Only a conclusive answer moves coins, each once. A
 * late success after a return is the platform's loss.
 */
export function decideWithdrawal(
  state: WithdrawalState,
  { now, orderedKobo }: { readonly now: Instant; readonly orderedKobo: bigint },
): WithdrawalFact | null {
  const { step, outcome } = state;
  if (step === "with_staff") return toWithdrawalResidue(state, orderedKobo) === 0n ? { type: "closed" } : null;
  if (outcome === "unreadable") return { type: "to_staff", why: "unreadable" };
  switch (step) {
    case "held":
    case "sent":
      if (outcome === "success") return { type: "paid" };
      if (isFailure(outcome)) return toReturn(state);
      if (outcome === "other_sum" || outcome === "foreign") return { type: "to_staff", why: "transfer_differs" };
      return step === "sent" && isMissing(state, now) ? { type: "resend" } : null;
    case "paid":
      // A bank can return a transfer weeks later.
      if (isFailure(outcome)) return { type: "returned", cause: "reversed" };
      return outcome === "foreign" || isUnsettled(state, orderedKobo)
        ? { type: "to_staff", why: "transfer_differs" }
        : null;
    case "returned":
      return isUnsettled(state, orderedKobo) ? { type: "to_staff", why: "paid_after_return" } : null;
    default:
      return assertNever(step);
  }
}

/** How long the machine lets a withdrawal wait for people at most (rulings 44 and 51). */
const WAIT_MS_MAX = 72 * HOUR_MS;

/** Until when it waits as the first one; null: it never did. */
export function toFirstEndAt({ firstAt }: Pick<WithdrawalState, "firstAt">): Instant | null {
  return firstAt === null ? null : addMs(firstAt, WAIT_MS_MAX);
}

type FairWait = Pick<WithdrawalState, "fairAt">;

/** Until when marks let it wait, which begins now if they never did. */
export function toFairEndAt({ fairAt }: FairWait, now: Instant): Instant {
  return addMs(fairAt ?? now, WAIT_MS_MAX);
}

/** When it is sent at the latest whose marks end by themselves at `until`; null: there are none. */
export function toCheckAt(state: FairWait, until: Instant | null, now: Instant): Instant {
  const endAt = toFairEndAt(state, now);
  return until !== null && until < endAt ? until : endAt;
}

interface WaitContext {
  readonly now: Instant;
  readonly hold: Wait | null;
  /** Whether a mark of any of its coins is in force. */
  readonly isMarked: boolean;
  readonly isGuarded: boolean;
}

/**
 * Why a held one may not be ordered now; null: it may. A hold of its player is told first. Marks
 * let it wait for 72 hours in all.
 */
export function decideWait(
  state: Pick<WithdrawalState, "firstAt" | "fairAt">,
  { now, hold, isMarked, isGuarded }: WaitContext,
): Wait | null {
  if (hold !== null) return hold;
  if (isMarked && now < toFairEndAt(state, now)) return "fair_play";
  const firstEndAt = toFirstEndAt(state);
  if (firstEndAt !== null && now < firstEndAt) return "first";
  return isGuarded ? "records" : null;
}

function isUnsettled(state: WithdrawalState, orderedKobo: bigint): boolean {
  const residue = toWithdrawalResidue(state, orderedKobo);
  return residue !== null && residue !== 0n;
}

function toReturn({ outcome }: WithdrawalState): WithdrawalFact | null {
  return { type: "returned", cause: outcome === "reversed" ? "reversed" : "failed" };
}

/** "Not found" is believed once it was repeated for ten minutes. */
export function isMissing({ outcome, missingSince }: WithdrawalState, now: Instant): boolean {
  return outcome === "missing" && missingSince !== null && now - missingSince >= NOT_FOUND_MS;
}
