import type { PlayerId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { gameOf } from "@holo/rules/registry.ts";
import { toGameFeeBps, toTerms } from "@holo/table/platform-fee.ts";
import { findSeat, toOpponent } from "@holo/table/state.ts";
import { acceptsTakebacks } from "../../accounts/accounts.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Refusal } from "../answer.ts";
import { loadSeatFacts, type SeatRules } from "../log/seat-facts.ts";
import { LEFT_AFTER_MS, type Table } from "./table.ts";

export type OfferType = "offer_draw" | "request_takeback" | "offer_rematch";

/** The fees matter for a rematch only. */
interface OfferRequest {
  readonly type: OfferType;
  readonly feeBps: number;
  readonly feeInForceBps: number;
}

export interface OfferDeps {
  readonly queries: Queries;
  readonly time: Time;
  readonly seatRules: Pick<SeatRules, "findOfferRefusal">;
}

/**
 * Why an offer must not be made, beyond what its table knows. Null for a stranger: the table
 * refuses them. The settlement checks again.
 */
export async function checkOffer(
  { queries, time, seatRules }: OfferDeps,
  table: Table,
  playerId: PlayerId,
  { type, feeBps, feeInForceBps }: OfferRequest,
): Promise<Refusal | null> {
  const seat = findSeat(table.state, playerId);
  const opponentId = seat === null ? null : ofSeat(table.state.players, toOpponent(seat));
  if (seat === null || opponentId == null) return null;
  switch (type) {
    case "offer_draw":
      return null;
    case "request_takeback":
      return (await acceptsTakebacks(queries, opponentId)) ? null : { code: "takebacks_refused", figures: {} };
    case "offer_rematch": {
      // An offer that crosses a pending one accepts it, at the fee of that one.
      const { gameId, stake, offers } = table.state;
      if (feeBps !== (offers.rematch.pending?.feeBps ?? toGameFeeBps(stake, feeInForceBps))) {
        return { code: "fee_changed", figures: {} };
      }
      const opponent = toOpponent(seat);
      const awayMs = time.now() - (ofSeat(table.awaySinceAt, opponent) ?? time.now());
      if (!table.isPresent(opponent) && awayMs > LEFT_AFTER_MS) return { code: "opponent_away", figures: {} };
      const { buyIn } = toTerms(stake, gameOf(table.state.game).pieceCount, feeBps);
      const request = { playerId, gameId, seat: 1, stake, buyIn, opponentId } as const;
      const at = time.now();
      return seatRules.findOfferRefusal(
        request,
        await loadSeatFacts(queries, [request, { playerId: opponentId }], at),
        at,
      );
    }
  }
}
