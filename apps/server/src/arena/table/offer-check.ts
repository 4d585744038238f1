import type { PlayerId } from "@holo/kernel/ids.ts";
import { ZERO_COINS } from "@holo/kernel/money.ts";
import { toTerms } from "@holo/table/stakes.ts";
import { toOpponent } from "@holo/table/state.ts";
import { acceptsTakebacks, findBlockedWith, findRestricted, findSeatRestriction } from "../../accounts/accounts.ts";
import { loadWallet } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Refusal } from "../answer.ts";
import { checkCoolDown } from "../matchmaking/cool-down-check.ts";
import { LEFT_AFTER_MS } from "../matchmaking/rematch-lapses.ts";
import { isPresent, seatOf, type Table } from "./table.ts";

export type OfferType = "offer_draw" | "request_takeback" | "offer_rematch";

/** What is offered, and of a rematch what it costs: by what its player was shown, and by what is in force. */
export interface OfferRequest {
  readonly type: OfferType;
  readonly feeBps: number;
  readonly feeInForceBps: number;
}

/**
 * Why an offer is not worth making, of what its table does not know: the other takes no moves back, is gone, or must not be met again, or
 * the asker could not pay. Whoever is no player of the table is left to the table. Nothing here is a promise: the settlement checks anew.
 */
export async function checkOffer(
  queries: Queries,
  time: Time,
  table: Table,
  playerId: PlayerId,
  { type, feeBps, feeInForceBps }: OfferRequest,
): Promise<Refusal | null> {
  const seat = seatOf(table, { id: playerId, username: "" });
  const opponentId = seat === null ? null : table.state.players[toOpponent(seat) - 1];
  if (seat === null || opponentId == null) return null;
  switch (type) {
    case "offer_draw":
      return null;
    case "request_takeback":
      return (await acceptsTakebacks(queries, opponentId)) ? null : { code: "takebacks_refused", figures: {} };
    case "offer_rematch": {
      // An offer that crosses another accepts it, at the fee of that one.
      if (feeBps !== (table.state.offers.rematch.pending?.feeBps ?? feeInForceBps)) {
        return { code: "fee_changed", figures: {} };
      }
      const opponent = toOpponent(seat);
      const awayMs = time.now() - (table.awaySinceAt[opponent - 1] ?? time.now());
      if (!isPresent(table, opponent) && awayMs > LEFT_AFTER_MS) return { code: "opponent_away", figures: {} };
      if ((await findBlockedWith(queries, playerId)).has(opponentId)) return { code: "blocked_pair", figures: {} };
      const permit = await findSeatRestriction(queries, playerId, table.state.stake, time.now());
      if (permit !== null) return permit;
      const isOtherExcluded = (await findRestricted(queries, [opponentId], time.now())).has(opponentId);
      if (isOtherExcluded) return { code: "opponent_busy", figures: {} };
      const have = (await loadWallet(queries, playerId))?.balance ?? ZERO_COINS;
      const need = toTerms(table.state.stake, table.rules.pieceCount, feeBps).buyIn;
      if (have < need) return { code: "insufficient_to_create", figures: { need, have } };
      return await checkCoolDown(queries, playerId, time.now());
    }
  }
}
