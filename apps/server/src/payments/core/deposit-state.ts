import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";

/**
 * What the provider says about a charge and its refunds. `other_sum`, `foreign`: paid otherwise
 * than asked for.
 */
const CHARGE_OUTCOMES = [
  "success",
  "other_sum",
  "foreign",
  "reversed",
  "failed",
  "abandoned",
  "busy",
  "missing",
  "unreadable",
] as const;
export type ChargeOutcome = (typeof CHARGE_OUTCOMES)[number];

/** Of all refunds of a charge: `open` can still succeed or fail. */
export type RefundStage = "none" | "open" | "failed" | "processed";
export type DisputeStage = "open" | "won" | "lost";
export type RefundCause = "above_limit" | "restricted" | "staff" | "player";

const DEPOSIT_WHYS = [
  "amount_differs",
  "part_gone",
  "account_deleted",
  "restricted_disputed",
  "above_limit_disputed",
  "refund_failed",
  "refund_missing",
  "refund_refused",
  "refund_slow",
  "money_left",
  "dispute_uncollected",
  "unreadable",
] as const;
/** Why a deposit is with staff. */
export type DepositWhy = (typeof DEPOSIT_WHYS)[number];

export interface ChargeFact {
  readonly type: "charge";
  readonly outcome: ChargeOutcome;
  /** What arrived, less the fee that its payer bears; 0: nothing. */
  readonly kobo: bigint;
  /** Reversed or refunded of it, in total. */
  readonly backKobo: bigint;
  readonly refund: RefundStage;
  /** The platform's share of the provider's fee. */
  readonly feeKobo: bigint | null;
  readonly paidAt: Instant | null;
  readonly providerId: string | null;
  /** How its payer paid, in the provider's word: `card`, `bank_transfer` and others. */
  readonly channel: string | null;
  /** The provider's name for the card. Not stored: a trace keeps a hash of it. */
  readonly cardSignature?: string | null;
}

export type DepositFact =
  | ChargeFact
  | { readonly type: "dispute"; readonly id: string; readonly stage: DisputeStage; readonly dueAt: Instant | null }
  /** From now on the player has this part of it, by the ledger. */
  | {
      readonly type: "posted";
      readonly keptKobo: bigint;
      /** Kobo for one holocoin at which it is credited; null after the first credit. */
      readonly rateKobo: number | null;
    }
  | {
      readonly type: "refund_sent";
      readonly kobo: bigint;
      readonly cause: RefundCause;
      /** The provider's fee for the deposit, which the player bears besides `kobo`. */
      readonly borneFeeKobo: bigint;
    }
  | { readonly type: "to_staff"; readonly why: DepositWhy }
  | { readonly type: "wrote_off"; readonly kobo: bigint }
  | { readonly type: "closed" };

interface Dispute {
  /** `collected`: lost, and the bank has taken the money. */
  readonly stage: DisputeStage | "collected";
  readonly at: Instant;
  /** Until when the provider takes an answer; null if it does not say. */
  readonly dueAt: Instant | null;
}

export type DepositStep = "open" | "credited" | "refunding" | "closed" | "with_staff";

/** What follows from a deposit's facts. */
export interface DepositState {
  readonly step: DepositStep;
  readonly outcome: ChargeOutcome | null;
  readonly inKobo: bigint;
  readonly isExact: boolean;
  readonly backKobo: bigint;
  /** The part whose coins the player has. */
  readonly keptKobo: bigint;
  /** The most that the player ever had of it. */
  readonly creditedKobo: bigint;
  readonly creditRateKobo: number | null;
  readonly writtenOffKobo: bigint;
  /** The provider's fee that the player bears for refunds to the card (ruling 51). */
  readonly borneFeeKobo: bigint;
  /** Paid by card, as far as the provider says. */
  readonly isCard: boolean;
  readonly refundStage: RefundStage;
  /** Ordered by the platform and not over. */
  readonly refund: { readonly kobo: bigint; readonly at: Instant } | null;
  /** Of the last refund; null for none. */
  readonly refundCause: RefundCause | null;
  readonly disputes: ReadonlyMap<string, Dispute>;
  readonly why: DepositWhy | null;
  readonly feeKobo: bigint | null;
  readonly paidAt: Instant | null;
}

export const NEW_DEPOSIT: DepositState = {
  step: "open",
  outcome: null,
  inKobo: 0n,
  isExact: false,
  backKobo: 0n,
  keptKobo: 0n,
  creditedKobo: 0n,
  creditRateKobo: null,
  writtenOffKobo: 0n,
  borneFeeKobo: 0n,
  isCard: false,
  refundStage: "none",
  refund: null,
  refundCause: null,
  disputes: new Map(),
  why: null,
  feeKobo: null,
  paidAt: null,
};

const CARD_CHANNELS: readonly string[] = ["card", "apple_pay"];

const STAGE_RANKS: Readonly<Record<Dispute["stage"], number>> = { open: 0, won: 1, lost: 2, collected: 3 };

export function foldDeposit(state: DepositState, fact: DepositFact, at: Instant): DepositState {
  switch (fact.type) {
    case "charge":
      return foldCharge(state, fact);
    case "dispute": {
      // Start and end may come in any order: of one dispute the later stage applies.
      const known = state.disputes.get(fact.id);
      if (known !== undefined && STAGE_RANKS[known.stage] >= STAGE_RANKS[fact.stage]) return state;
      const dispute = { stage: fact.stage, at, dueAt: fact.dueAt ?? known?.dueAt ?? null };
      return collectDisputes({ ...state, disputes: new Map(state.disputes).set(fact.id, dispute) });
    }
    case "posted": {
      const { keptKobo } = fact;
      const step = state.step === "with_staff" ? "with_staff" : toRest(keptKobo);
      const creditedKobo = state.creditedKobo > keptKobo ? state.creditedKobo : keptKobo;
      return { ...state, step, keptKobo, creditedKobo, creditRateKobo: state.creditRateKobo ?? fact.rateKobo };
    }
    case "refund_sent": {
      const { kobo, cause } = fact;
      const step = state.step === "open" ? "refunding" : state.step;
      const borneFeeKobo = state.borneFeeKobo + fact.borneFeeKobo;
      return { ...state, step, refund: { kobo, at }, refundCause: cause, borneFeeKobo };
    }
    case "to_staff":
      return { ...state, step: "with_staff", why: fact.why, refund: null };
    case "wrote_off":
      return { ...state, writtenOffKobo: state.writtenOffKobo + fact.kobo };
    case "closed":
      return { ...state, step: toRest(state.keptKobo), why: null, refund: null };
    default:
      return assertNever(fact);
  }
}

function foldCharge(state: DepositState, fact: ChargeFact): DepositState {
  const { outcome, refund: refundStage } = fact;
  // What arrived once is not undone by an answer that knows nothing of it.
  if (!hasArrived(fact)) return { ...state, outcome };
  const known = {
    ...state,
    outcome,
    inKobo: fact.kobo,
    isExact: outcome === "success",
    backKobo: fact.backKobo,
    refundStage,
    isCard: fact.channel === null ? state.isCard : CARD_CHANNELS.includes(fact.channel),
    feeKobo: fact.feeKobo ?? state.feeKobo,
    paidAt: state.paidAt ?? fact.paidAt,
  };
  return collectDisputes(toDepositResidue(known) <= 0n ? { ...known, refund: null } : known);
}

/** A lost dispute is over once nothing of the charge is left. */
function collectDisputes(state: DepositState): DepositState {
  if (state.inKobo === 0n || toLeftKobo(state) > 0n || !hasDispute(state, "lost")) return state;
  const disputes = [...state.disputes].map(([id, dispute]): readonly [string, Dispute] => [
    id,
    dispute.stage === "lost" ? { ...dispute, stage: "collected" } : dispute,
  ]);
  return { ...state, disputes: new Map(disputes) };
}

function hasArrived({ outcome }: Pick<ChargeFact, "outcome">): boolean {
  return outcome === "success" || outcome === "other_sum" || outcome === "foreign" || outcome === "reversed";
}

function toRest(keptKobo: bigint): DepositStep {
  return keptKobo > 0n ? "credited" : "closed";
}

/** What the provider still holds of it. */
export function toLeftKobo({ inKobo, backKobo }: Pick<DepositState, "inKobo" | "backKobo">): bigint {
  return inKobo > backKobo ? inKobo - backKobo : 0n;
}

/** What the provider holds and no one has been given: only at 0 a deposit leaves the staff. */
export function toDepositResidue(state: DepositState): bigint {
  return toLeftKobo(state) - state.keptKobo - state.writtenOffKobo - toBorneFeeKobo(state);
}

/** No more than is left besides what the player has: a bank that takes all takes it too. */
export function toBorneFeeKobo(state: DepositState): bigint {
  const restKobo = toLeftKobo(state) - state.keptKobo;
  const borneKobo = restKobo < state.borneFeeKobo ? restKobo : state.borneFeeKobo;
  return borneKobo > 0n ? borneKobo : 0n;
}

export function hasDispute({ disputes }: DepositState, ...stages: readonly DisputeStage[]): boolean {
  return [...disputes.values()].some(({ stage }) => stage !== "collected" && stages.includes(stage));
}

/** Whether a dispute is open, or lost while the bank has not taken the money yet. */
export function isDisputed(state: DepositState): boolean {
  return hasDispute(state, "open") || (hasDispute(state, "lost") && toLeftKobo(state) > 0n);
}

/**
 * Whether its payer or bank wants the money again, or took it, and not by a refund of ours: coins
 * that stem from it are marked (ruling 52).
 */
export function isContested(state: DepositState): boolean {
  if (state.creditedKobo === 0n) return false;
  const isCollected = [...state.disputes.values()].some(({ stage }) => stage === "collected");
  const isTaken = isCollected || (state.backKobo > 0n && state.refundCause === null);
  return hasDispute(state, "open", "lost") || (isTaken && state.keptKobo < state.creditedKobo);
}

/** Whether its coins are the player's, and their money is held (ruling 33). */
export function isHoldingPlayer(state: DepositState): boolean {
  return state.keptKobo > 0n && (state.step === "with_staff" || isDisputed(state));
}
