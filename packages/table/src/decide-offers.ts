import { assertNever } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { refuse } from "@holo/kernel/result.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { append, type Decided } from "./append.ts";
import { NO_DELIVERY, replaceSeat, toCharge } from "./clock.ts";
import type { TableCommand, TableRefusal } from "./command.ts";
import type { Ended, OfferAnswered, TableEvent, TakenBack } from "./entry.ts";
import { type Asking, REMATCH_LIMIT_MS, REMATCHES_MAX, type StandingOffer, TAKEBACKS_MAX } from "./offers.ts";
import { toRemaining } from "./remaining.ts";
import { type TableState, toOpponent } from "./state.ts";

/** Ruling 17: Offer Draw once both have made two moves. */
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
): Decided<Position> {
  const { draw, takeback } = state.offers;
  const write = (...events: readonly TableEvent[]) => append(rules, state, at, seat, command.id, events);
  switch (command.type) {
    case "offer_draw": {
      if (state.pliesEver < DRAW_AFTER_PLIES) return refuse("too_early_to_draw");
      const offered: TableEvent = { type: "draw_offered", seat };
      if (isAskedBy(draw, toOpponent(seat))) return write(offered, toAgreed(rules, state, at));
      const refusal = refuseAsking(state, draw, seat);
      return refusal === null ? write(offered) : refuse(refusal);
    }
    case "request_takeback": {
      if (state.moves.length <= TAKEBACK_AFTER_PLIES) return refuse("too_early_to_take_back");
      const requested: TableEvent = { type: "takeback_requested", seat };
      if (isAskedBy(takeback, toOpponent(seat))) {
        const taken = toTakenBack(rules, state, toOpponent(seat), at, command.delivery);
        return taken === null ? refuse("time_up") : write(requested, taken);
      }
      const refusal = refuseAsking(state, takeback, seat);
      if (refusal !== null) return refuse(refusal);
      return state.takebacks < TAKEBACKS_MAX ? write(requested) : refuse("takebacks_spent");
    }
    case "answer_draw": {
      const refusal = refuseAnswer(state, draw.standing, command, seat);
      if (refusal !== null) return refuse(refusal);
      const answered = toAnswered("draw_answered", command, seat);
      return command.answer === "accept" ? write(answered, toAgreed(rules, state, at)) : write(answered);
    }
    case "answer_takeback": {
      const refusal = refuseAnswer(state, takeback.standing, command, seat);
      if (refusal !== null) return refuse(refusal);
      const answered = toAnswered("takeback_answered", command, seat);
      if (command.answer !== "accept") return write(answered);
      const taken = toTakenBack(rules, state, toOpponent(seat), at, command.delivery);
      return taken === null ? refuse("time_up") : write(answered, taken);
    }
    default:
      return assertNever(command);
  }
}

/** A rematch of a game that was played to its end (ruling 19). Whether both can pay for it, the ledger has to say. */
export function decideRematch<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Of<"offer_rematch" | "answer_rematch">,
  seat: Seat,
  at: Instant,
): Decided<Position> {
  const { rematch } = state.offers;
  const write = (...events: readonly TableEvent[]) => append(rules, state, at, seat, command.id, events);
  const start = (gameId: GameId, feeBps: number): TableEvent => ({ type: "rematch_started", gameId, feeBps });
  if (state.result === null) return refuse("not_over");
  if (rematch.gameId !== null) return refuse("rematch_started");
  const { standing } = rematch;
  const isOver = standing !== null && at >= addMs(standing.at, REMATCH_LIMIT_MS);
  if (command.type === "answer_rematch") {
    if (standing === null || standing.version !== command.offer || isOver) return refuse("no_offer");
    if (standing.seat === seat) return refuse("own_offer");
    const answered = toAnswered("rematch_answered", command, seat);
    return command.answer === "accept" ? write(answered, start(command.nextGameId, standing.feeBps)) : write(answered);
  }
  if (standing !== null && !isOver) {
    const { feeBps } = standing;
    if (standing.seat === seat) return refuse("offer_stands");
    // It would begin at another fee than its player was shown.
    if (command.feeBps !== feeBps) return refuse("fee_changed");
    return write({ type: "rematch_offered", seat, feeBps }, start(command.nextGameId, feeBps));
  }
  if (rematch.declined[seat - 1]) return refuse("rematch_declined");
  if (rematch.offered[seat - 1]! >= REMATCHES_MAX) return refuse("rematch_spent");
  return write({ type: "rematch_offered", seat, feeBps: command.feeBps });
}

function isAskedBy(asking: Asking, seat: Seat): boolean {
  return asking.standing?.seat === seat;
}

function refuseAsking(state: TableState<unknown>, asking: Asking, seat: Seat): TableRefusal | null {
  if (asking.standing !== null) return "offer_stands";
  if (asking.refusedBy[toOpponent(seat) - 1]) return "offers_refused";
  return state.movesMade[seat - 1]! < asking.fromMoves[seat - 1]! ? "asked_too_soon" : null;
}

function refuseAnswer(
  state: TableState<unknown>,
  standing: StandingOffer | null,
  command: Of<"answer_draw" | "answer_takeback">,
  seat: Seat,
): TableRefusal | null {
  if (standing === null || standing.version !== command.offer) return "no_offer";
  if (standing.seat === seat) return "own_offer";
  return command.answer === "accept" && command.atVersion !== state.boardVersion ? "stale_version" : null;
}

function toAnswered(
  type: OfferAnswered["type"],
  { offer, answer }: Of<"answer_draw" | "answer_takeback" | "answer_rematch">,
  seat: Seat,
): OfferAnswered {
  return { type, seat, offer, answer };
}

function toAgreed<Position>(rules: GameRules<Position>, state: TableState<Position>, at: Instant): Ended {
  return { type: "ended", winner: null, reason: "agreement", remainingMs: toRemaining(rules, state, at) };
}

/**
 * Back to before the asker's last move: two plies where the other has answered it, else one. Clocks stay as they stand, the running one
 * charged as for a move, but for a network's share, since no move was on its way. Null where it has nothing left: its flag is about to
 * fall.
 */
function toTakenBack<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  asker: Seat,
  at: Instant,
  delivery = NO_DELIVERY,
): TakenBack | null {
  const { clock } = state;
  const turn = rules.toMove(state.position);
  const { chargedMs } = toCharge(clock, turn, at, { ...delivery, lagMs: 0 });
  const leftMs = clock.remainingMs[turn - 1]! - chargedMs;
  if (leftMs <= 0) return null;
  const remainingMs = replaceSeat(clock.remainingMs, turn, leftMs);
  return { type: "taken_back", seat: asker, plies: turn === asker ? 2 : 1, remainingMs };
}
