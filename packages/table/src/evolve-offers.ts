import { assertNever } from "@holo/kernel/assert.ts";
import { ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { LogRecord, OfferAnswered, TableEvent } from "./log-record.ts";
import { answerOffer, type Offers } from "./offers.ts";
import type { TableState } from "./state.ts";

type OfferEvent = Extract<
  TableEvent,
  | { readonly type: "draw_offered" | "takeback_requested" | "rematch_offered" }
  | { readonly type: "rematch_started" | "rematch_lapsed" }
  | OfferAnswered
>;

export function evolveOffers(state: TableState<unknown>, record: LogRecord, event: OfferEvent): Offers {
  const { offers, movesMade } = state;
  const { draw, takeback, rematch } = offers;
  const { version, at } = record;
  switch (event.type) {
    case "draw_offered":
      return { ...offers, draw: { ...draw, pending: { seat: event.seat, version, at } } };
    case "takeback_requested":
      return { ...offers, takeback: { ...takeback, pending: { seat: event.seat, version, at } } };
    case "draw_answered":
      return { ...offers, draw: answerOffer(draw, event.seat, event.answer, movesMade) };
    case "takeback_answered":
      return { ...offers, takeback: answerOffer(takeback, event.seat, event.answer, movesMade) };
    case "rematch_offered": {
      const { seat, feeBps } = event;
      const offered = replaceSeat(rematch.offered, seat, ofSeat(rematch.offered, seat) + 1);
      return { ...offers, rematch: { ...rematch, offered, pending: { seat, version, at, feeBps } } };
    }
    case "rematch_answered": {
      const requester = rematch.pending?.seat;
      const isDeclined = event.answer !== "accept" && requester !== undefined;
      const declined = isDeclined ? replaceSeat(rematch.declined, requester, true) : rematch.declined;
      return { ...offers, rematch: { ...rematch, pending: null, declined } };
    }
    case "rematch_started":
      return { ...offers, rematch: { ...rematch, pending: null, gameId: event.gameId } };
    case "rematch_lapsed":
      return { ...offers, rematch: { ...rematch, pending: null } };
    default:
      return assertNever(event);
  }
}
