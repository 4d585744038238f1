import { assertNever } from "@holo/kernel/assert.ts";
import { replaceSeat } from "./clock.ts";
import type { Entry, OfferAnswered, TableEvent } from "./entry.ts";
import { answerAsking, type Offers } from "./offers.ts";
import type { TableState } from "./state.ts";

/** What is offered, asked for or answered at a table. */
type OfferEvent = Extract<
  TableEvent,
  | { readonly type: "draw_offered" | "takeback_requested" | "rematch_offered" }
  | { readonly type: "rematch_started" | "rematch_lapsed" }
  | OfferAnswered
>;

/** What stands open after one more of them. */
export function evolveOffers(state: TableState<unknown>, entry: Entry, event: OfferEvent): Offers {
  const { offers, movesMade } = state;
  const { draw, takeback, rematch } = offers;
  const { version, at } = entry;
  switch (event.type) {
    case "draw_offered":
      return { ...offers, draw: { ...draw, standing: { seat: event.seat, version, at } } };
    case "takeback_requested":
      return { ...offers, takeback: { ...takeback, standing: { seat: event.seat, version, at } } };
    case "draw_answered":
      return { ...offers, draw: answerAsking(draw, event.seat, event.answer, movesMade) };
    case "takeback_answered":
      return { ...offers, takeback: answerAsking(takeback, event.seat, event.answer, movesMade) };
    case "rematch_offered": {
      const { seat, feeBps } = event;
      const offered = replaceSeat(rematch.offered, seat, rematch.offered[seat - 1]! + 1);
      return { ...offers, rematch: { ...rematch, offered, standing: { seat, version, at, feeBps } } };
    }
    case "rematch_answered": {
      const asker = rematch.standing?.seat;
      const isDeclined = event.answer !== "accept" && asker !== undefined;
      const declined = isDeclined ? replaceSeat(rematch.declined, asker, true) : rematch.declined;
      return { ...offers, rematch: { ...rematch, standing: null, declined } };
    }
    case "rematch_started":
      return { ...offers, rematch: { ...rematch, standing: null, gameId: event.gameId } };
    case "rematch_lapsed":
      return { ...offers, rematch: { ...rematch, standing: null } };
    default:
      return assertNever(event);
  }
}
