import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { refuse } from "@holo/kernel/result.ts";
import { ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { appendRecord, type DecisionResult } from "./append.ts";
import { LAG_PER_MOVE_MAX_MS, NO_DELIVERY, toCharge } from "./clock.ts";
import type { TableCommand, TableRefusal } from "./command.ts";
import { toDeadline } from "./deadline.ts";
import type { Ended, OfferAnswered, TableEvent, TakenBack } from "./log-record.ts";
import { type OfferState, type PendingOffer, TAKEBACKS_MAX } from "./offers.ts";
import { toRemaining } from "./remaining.ts";
import { type TableState, toOpponent } from "./state.ts";

/** Ruling 17: a draw can be offered once both have made two moves. */
export const DRAW_AFTER_PLIES = 4;
/** Specification 4: a takeback needs more plies on the board than this. */
export const TAKEBACK_AFTER_PLIES = 2;

type Of<Type extends TableCommand["type"]> = Extract<TableCommand, { readonly type: Type }>;

/** Draws and takebacks of an active game (ruling 18). */
export function decideOffer<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Of<"offer_draw" | "request_takeback" | "answer_draw" | "answer_takeback">,
  seat: Seat,
  at: Instant,
): DecisionResult<Position> {
  const { draw, takeback } = state.offers;
  const write = (...events: readonly TableEvent[]) => appendRecord(rules, state, at, seat, command.id, events);
  switch (command.type) {
    case "offer_draw": {
      if (state.pliesEver < DRAW_AFTER_PLIES) return refuse("too_early_to_draw");
      if (isOutdated(state, command, seat)) return refuse("stale_version");
      const offered: TableEvent = { type: "draw_offered", seat };
      if (isOfferedBy(draw, toOpponent(seat))) {
        return isTimeUp(rules, state, at, command.delivery)
          ? refuse("time_up")
          : write(offered, toAgreed(rules, state, at));
      }
      const refusal = refuseOffer(state, draw, seat);
      return refusal === null ? write(offered) : refuse(refusal);
    }
    case "request_takeback": {
      if (state.moves.length <= TAKEBACK_AFTER_PLIES) return refuse("too_early_to_take_back");
      if (isOutdated(state, command, seat)) return refuse("stale_version");
      const requested: TableEvent = { type: "takeback_requested", seat };
      if (isOfferedBy(takeback, toOpponent(seat))) {
        if (!hasTakebacks(state, toOpponent(seat))) return refuse("takebacks_spent");
        const taken = toTakenBack(rules, state, toOpponent(seat), at, command.delivery);
        return taken === null ? refuse("time_up") : write(requested, taken);
      }
      const refusal = refuseOffer(state, takeback, seat);
      if (refusal !== null) return refuse(refusal);
      return hasTakebacks(state, seat) ? write(requested) : refuse("takebacks_spent");
    }
    case "answer_draw": {
      const refusal = refuseAnswer(state, draw.pending, command, seat);
      if (refusal !== null) return refuse(refusal);
      const answered = toAnswered("draw_answered", command, seat);
      if (command.answer !== "accept") return write(answered);
      if (isTimeUp(rules, state, at, command.delivery)) return refuse("time_up");
      return write(answered, toAgreed(rules, state, at));
    }
    case "answer_takeback": {
      const refusal = refuseAnswer(state, takeback.pending, command, seat);
      if (refusal !== null) return refuse(refusal);
      const answered = toAnswered("takeback_answered", command, seat);
      if (command.answer !== "accept") return write(answered);
      if (!hasTakebacks(state, toOpponent(seat))) return refuse("takebacks_spent");
      const taken = toTakenBack(rules, state, toOpponent(seat), at, command.delivery);
      return taken === null ? refuse("time_up") : write(answered, taken);
    }
    default:
      return assertNever(command);
  }
}

/**
 * A move of the opponent lapses an offer, also one that was pressed before and arrives later, which
 * could otherwise accept an offer that its player never saw.
 */
function isOutdated(
  { movesMade }: TableState<unknown>,
  { opponentMoves }: Of<"offer_draw" | "request_takeback">,
  seat: Seat,
): boolean {
  return opponentMoves !== undefined && opponentMoves !== ofSeat(movesMade, toOpponent(seat));
}

/** Whether the player may still take moves back; the request may be older than the limit. */
function hasTakebacks({ takebacks }: TableState<unknown>, seat: Seat): boolean {
  return ofSeat(takebacks, seat) < TAKEBACKS_MAX;
}

function isOfferedBy(offer: OfferState, seat: Seat): boolean {
  return offer.pending?.seat === seat;
}

function refuseOffer(state: TableState<unknown>, offer: OfferState, seat: Seat): TableRefusal | null {
  if (offer.pending !== null) return "offer_stands";
  if (ofSeat(offer.refusedBy, toOpponent(seat))) return "offers_refused";
  return ofSeat(state.movesMade, seat) < ofSeat(offer.fromMoves, seat) ? "asked_too_soon" : null;
}

function refuseAnswer(
  state: TableState<unknown>,
  pending: PendingOffer | null,
  command: Of<"answer_draw" | "answer_takeback">,
  seat: Seat,
): TableRefusal | null {
  if (pending === null || pending.version !== command.offer) return "no_offer";
  if (pending.seat === seat) return "own_offer";
  return command.answer === "accept" && command.atVersion !== state.boardVersion ? "stale_version" : null;
}

export function toAnswered(
  type: OfferAnswered["type"],
  { offer, answer }: Of<"answer_draw" | "answer_takeback" | "answer_rematch">,
  seat: Seat,
): OfferAnswered {
  return { type, seat, offer, answer };
}

/**
 * Whether the running clock has run out, whatever the network's share: the flag is about to fall,
 * which a server or the sweeper may notice seconds later.
 */
function isTimeUp<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  at: Instant,
  delivery = NO_DELIVERY,
): boolean {
  const deadline = toDeadline(rules, state, { ...delivery, lagMs: LAG_PER_MOVE_MAX_MS });
  return deadline?.type === "time" && at >= deadline.at;
}

function toAgreed<Position>(rules: GameRules<Position>, state: TableState<Position>, at: Instant): Ended {
  return { type: "ended", winner: null, reason: "agreement", remainingMs: toRemaining(rules, state, at) };
}

/**
 * Returns to before the last move of `requester`. Charges the running clock as for a move, but no
 * network time, because no move was in transit. Null if no time is left: the flag is about to fall.
 */
function toTakenBack<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  requester: Seat,
  at: Instant,
  delivery = NO_DELIVERY,
): TakenBack | null {
  const { clock } = state;
  const turn = rules.toMove(state.position);
  const { chargedMs } = toCharge(clock, turn, at, { ...delivery, lagMs: 0 });
  const leftMs = ofSeat(clock.remainingMs, turn) - chargedMs;
  if (leftMs <= 0) return null;
  const remainingMs = replaceSeat(clock.remainingMs, turn, leftMs);
  return { type: "taken_back", seat: requester, plies: turn === requester ? 2 : 1, remainingMs };
}
