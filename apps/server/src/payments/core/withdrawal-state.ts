import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";

/** What the provider says about a transfer. `other_sum`, `foreign`: sent otherwise than ordered. */
const TRANSFER_OUTCOMES = [
  "success",
  "other_sum",
  "foreign",
  "failed",
  "reversed",
  "open",
  "otp",
  /** The order got no answer that says whether it was taken. */
  "unanswered",
  "missing",
  "unreadable",
] as const;
export type TransferOutcome = (typeof TRANSFER_OUTCOMES)[number];

const WITHDRAWAL_WHYS = ["transfer_differs", "paid_after_return", "unreadable"] as const;
/** Why a withdrawal is with staff. */
type WithdrawalWhy = (typeof WITHDRAWAL_WHYS)[number];

/** Why nothing is sent yet. */
export type Wait = "bank" | "dispute" | "debt" | "staff" | "records" | "first" | "fair_play";
export type ReturnCause = "failed" | "reversed" | "cancelled" | "staff" | "forfeit";

export interface TransferFact {
  readonly type: "transfer";
  readonly outcome: TransferOutcome;
  /** What left the provider; 0: nothing. */
  readonly kobo: bigint;
  readonly feeKobo: bigint | null;
  readonly providerId: string | null;
}

export type WithdrawalFact =
  | TransferFact
  | { readonly type: "waits"; readonly why: Wait }
  /** Written before the provider is ordered to send it. */
  | { readonly type: "sent" }
  /** The provider certainly did not take the order. */
  | { readonly type: "unsent"; readonly why: Wait | null }
  /** The provider does not know it: it is sent again under the same reference. */
  | { readonly type: "resend" }
  | { readonly type: "paid" }
  | { readonly type: "returned"; readonly cause: ReturnCause }
  /** Staff took the coins again. */
  | { readonly type: "taken" }
  | { readonly type: "to_staff"; readonly why: WithdrawalWhy }
  | { readonly type: "wrote_off"; readonly kobo: bigint }
  | { readonly type: "closed" };

export type WithdrawalStep = "held" | "sent" | "paid" | "returned" | "with_staff";

/** What follows from a withdrawal's facts. */
export interface WithdrawalState {
  readonly step: WithdrawalStep;
  readonly outcome: TransferOutcome | null;
  /** Whether its coins are back with their owner. */
  readonly isBack: boolean;
  /** What left the provider, by the newest conclusive answer. */
  readonly sentKobo: bigint;
  readonly writtenOffKobo: bigint;
  /** When it was, or may have been, ordered. */
  readonly sentAt: Instant | null;
  /** Since when the provider has not known it. */
  readonly missingSince: Instant | null;
  readonly wait: Wait | null;
  /** Since when it waits as the first with unplayed coins from a card (ruling 51). */
  readonly firstAt: Instant | null;
  /** Since when it waits because its coins are marked (rulings 44 and 52). */
  readonly fairAt: Instant | null;
  readonly returnCause: ReturnCause | null;
  readonly why: WithdrawalWhy | null;
  readonly feeKobo: bigint | null;
}

export const NEW_WITHDRAWAL: WithdrawalState = {
  step: "held",
  outcome: null,
  isBack: false,
  sentKobo: 0n,
  writtenOffKobo: 0n,
  sentAt: null,
  missingSince: null,
  wait: null,
  firstAt: null,
  fairAt: null,
  returnCause: null,
  why: null,
  feeKobo: null,
};

export function foldWithdrawal(state: WithdrawalState, fact: WithdrawalFact, at: Instant): WithdrawalState {
  switch (fact.type) {
    case "transfer":
      return foldTransfer(state, fact, at);
    case "waits":
      return {
        ...state,
        wait: fact.why,
        firstAt: fact.why === "first" ? (state.firstAt ?? at) : state.firstAt,
        fairAt: fact.why === "fair_play" ? (state.fairAt ?? at) : state.fairAt,
      };
    case "sent":
      // Waiting for the bank goes on until it has taken an order.
      return {
        ...state,
        step: "sent",
        sentAt: at,
        missingSince: null,
        outcome: null,
        wait: state.wait === "bank" ? "bank" : null,
      };
    case "unsent":
      return { ...state, step: "held", sentAt: null, missingSince: null, wait: fact.why };
    case "resend":
      return { ...state, step: "held", sentAt: null, missingSince: null, wait: null, why: null };
    case "paid":
      return { ...state, step: "paid", wait: null };
    case "returned":
      return {
        ...state,
        step: state.step === "with_staff" ? "with_staff" : "returned",
        isBack: true,
        wait: null,
        returnCause: fact.cause,
      };
    case "taken":
      return { ...state, isBack: false };
    case "to_staff":
      return { ...state, step: "with_staff", wait: null, why: fact.why };
    case "wrote_off":
      return { ...state, writtenOffKobo: state.writtenOffKobo + fact.kobo };
    case "closed":
      return { ...state, step: state.isBack ? "returned" : "paid", why: null };
    default:
      return assertNever(fact);
  }
}

function foldTransfer(state: WithdrawalState, fact: TransferFact, at: Instant): WithdrawalState {
  const { outcome } = fact;
  return {
    ...state,
    outcome,
    wait: state.step === "sent" ? null : state.wait,
    sentKobo: isConclusive(outcome) ? fact.kobo : state.sentKobo,
    missingSince: outcome === "missing" ? (state.missingSince ?? at) : null,
    feeKobo: fact.feeKobo ?? state.feeKobo,
  };
}

/** Whether the provider says how much of it left. */
function isConclusive(outcome: TransferOutcome): boolean {
  return outcome === "success" || outcome === "other_sum" || isFailure(outcome);
}

export function isFailure(outcome: TransferOutcome | null): boolean {
  return outcome === "failed" || outcome === "reversed";
}

/**
 * Above 0: taken from the owner and not sent. Below 0: sent and taken from no one, beyond what was
 * written off. Null: the provider is not conclusive.
 */
export function toWithdrawalResidue(
  { isBack, sentKobo, writtenOffKobo, outcome }: WithdrawalState,
  orderedKobo: bigint,
): bigint | null {
  if (isBack && sentKobo === 0n && outcome !== "unreadable") return 0n;
  if (outcome === null || !isConclusive(outcome)) return null;
  const difference = (isBack ? 0n : orderedKobo) - sentKobo;
  if (difference >= 0n) return difference;
  return -difference > writtenOffKobo ? difference + writtenOffKobo : 0n;
}
