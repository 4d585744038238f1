import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { isFree } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import {
  decideDrawEntry,
  decideRefundEntry,
  decideStakeEntry,
  decideWinEntry,
  type JournalEntry,
} from "../../ledger/ledger.ts";
import type { EncodedRecord } from "./log-record.ts";
import { termsOf } from "./terms.ts";

/** What a player pays to sit down: nothing in a free game. */
export function toStakeEntries(state: TableState<unknown>, playerId: PlayerId, seat: Seat): readonly JournalEntry[] {
  if (isFree(state.stake)) return [];
  return [decideStakeEntry({ gameId: state.gameId, seat, playerId, amount: termsOf(state).buyIn })];
}

/** How the coins of an ended game leave its escrow: a free game has none. */
export function toSettlementEntries(
  ended: TableState<unknown>,
  { hash: finalHash }: EncodedRecord,
): readonly JournalEntry[] {
  const { gameId, stake, players, result } = ended;
  if (isFree(stake)) return [];
  const { buyIn, drawReturn, winnings, platformFee } = termsOf(ended);
  const stakes = players.flatMap((playerId) => (playerId === null ? [] : [{ playerId, amount: buyIn }]));
  if (ended.status === "cancelled") return [decideRefundEntry(gameId, stakes)];
  assert(result !== null, "an ended game has a result");
  if (result.winner === null) return [decideDrawEntry({ gameId, drawReturn, platformFee, finalHash }, stakes)];
  const winnerId = ofSeat(players, result.winner);
  assert(winnerId, "the winner sits at the table");
  return [decideWinEntry({ gameId, winnerId, winnings, platformFee, finalHash }, stakes)];
}
