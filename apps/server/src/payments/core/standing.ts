import { assertNever } from "@holo/kernel/assert.ts";
import { type Kobo, toKobo } from "@holo/kernel/money.ts";
import type { PaymentReason, PaymentReasonCode } from "@holo/protocol/payments/payment-reasons.ts";
import type { PaymentStatus } from "@holo/protocol/payments/payments.ts";
import { type DepositState, isDisputed, type RefundCause, toBorneFeeKobo } from "./deposit-state.ts";
import type { ReturnCause, Wait, WithdrawalState } from "./withdrawal-state.ts";

/** What the player reads about a payment (ruling 11). */
export interface Standing {
  readonly status: PaymentStatus;
  readonly reason: PaymentReason | null;
}

function stand(status: PaymentStatus, code: PaymentReasonCode | null = null, kobo: Kobo | null = null): Standing {
  return { status, reason: code === null ? null : { code, kobo } };
}

const REFUND_CODES: Readonly<Record<RefundCause, PaymentReasonCode>> = {
  above_limit: "above_limit",
  restricted: "restricted",
  staff: "refund",
  player: "refund",
};

interface DepositOrder {
  readonly kobo: bigint;
  readonly rateKobo: number;
  /** What the player read before. */
  readonly before: Standing;
  /** Nothing more is expected: it is a day old, or has no checkout. */
  readonly isOver: boolean;
  /** The player came back from the checkout. */
  readonly hasReturned: boolean;
}

export function toDepositStanding(state: DepositState, order: DepositOrder): Standing {
  const { step, refundCause } = state;
  switch (step) {
    case "open":
      return toOpenStanding(state, order);
    case "credited":
      return toCreditedStanding(state, order);
    case "refunding":
      return stand("reversed", REFUND_CODES[refundCause ?? "staff"]);
    case "with_staff":
      if (state.keptKobo > 0n && isDisputed(state)) return stand("review", "disputed");
      return state.refund === null ? stand("review", "with_staff") : stand("review", "refund");
    case "closed":
      if (state.inKobo === 0n) return stand("failed", "not_completed");
      return stand("reversed", refundCause === null ? "reversed" : REFUND_CODES[refundCause]);
    default:
      return assertNever(step);
  }
}

/**
 * A failed or abandoned one may still be paid. The provider also calls one abandoned before anyone
 * has paid it.
 */
function toOpenStanding({ outcome }: DepositState, { before, isOver, hasReturned }: DepositOrder): Standing {
  switch (outcome) {
    case "failed":
      return stand("failed", "declined");
    case "missing":
      return isOver ? stand("failed", "not_completed") : toWaiting(before);
    case "abandoned":
      return isOver || hasReturned ? stand("abandoned", "not_completed") : toWaiting(before);
    case "busy":
      return stand("pending");
    default:
      return toWaiting(before);
  }
}

function toWaiting(before: Standing): Standing {
  return before.reason?.code === "awaiting_provider" ? { ...before, reason: null } : before;
}

function toCreditedStanding(state: DepositState, { kobo, rateKobo }: DepositOrder): Standing {
  if (isDisputed(state)) return stand("review", "disputed");
  const takenKobo = state.creditedKobo - state.keptKobo - toBorneFeeKobo(state);
  if (takenKobo > 0n) return stand("completed", "part_taken", toKobo(takenKobo));
  if (state.creditedKobo !== kobo) return stand("completed", "corrected", toKobo(state.creditedKobo));
  const { creditRateKobo } = state;
  if (creditRateKobo === null || creditRateKobo === rateKobo) return stand("completed");
  const code = creditRateKobo > rateKobo ? "rate_fewer_coins" : "rate_more_coins";
  return stand("completed", code, toKobo(BigInt(creditRateKobo)));
}

const WAIT_CODES: Readonly<Record<Wait, PaymentReasonCode>> = {
  bank: "awaiting_bank",
  dispute: "awaiting_dispute",
  debt: "awaiting_debt",
  staff: "awaiting_staff",
  records: "awaiting_records",
  first: "awaiting_first",
  fair_play: "awaiting_fair_play",
};

const RETURNS: Readonly<Record<ReturnCause, Standing>> = {
  failed: stand("failed", "transfer_failed"),
  reversed: stand("reversed", "transfer_reversed"),
  cancelled: stand("abandoned", "withdrawal_cancelled"),
  staff: stand("failed", "transfer_failed"),
  forfeit: stand("failed", "forfeited"),
};

export function toWithdrawalStanding(state: WithdrawalState): Standing {
  const { step, wait, outcome, returnCause, fairAt } = state;
  const sending = stand("processing", fairAt === null ? null : "checked");
  switch (step) {
    case "held":
      return wait === null ? sending : stand("pending", WAIT_CODES[wait]);
    case "sent":
      if (outcome === null && wait !== null) return stand("pending", WAIT_CODES[wait]);
      if (outcome === "otp") return stand("pending", "awaiting_bank");
      return outcome === "unanswered" || outcome === "missing" ? stand("processing", "awaiting_outcome") : sending;
    case "paid":
      return stand("completed");
    case "returned":
      return RETURNS[returnCause ?? "failed"];
    case "with_staff":
      return stand("review", "with_staff");
    default:
      return assertNever(step);
  }
}
