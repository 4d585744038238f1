import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { decideStakeEntry, type JournalEntry } from "../../ledger/ledger.ts";
import { rulesOf } from "../game-rules.ts";
import { type GameChange, type SeatRequest, toNewGame } from "../log/lifecycle-job.ts";
import { type EncodedRecord, encodeRecord, toFirstHash } from "../log/log-record.ts";
import { termsOf } from "./terms.ts";

export interface NewGame {
  readonly state: TableState<unknown>;
  readonly encoded: readonly EncodedRecord[];
  readonly change: GameChange;
}

/**
 * A game that begins with this record. `join` decides the record of the second player, who sits
 * down at once; without it the game waits.
 */
export function makeNewGame(
  gameId: GameId,
  created: LogRecord,
  join?: (waiting: TableState<unknown>) => LogRecord,
): NewGame {
  const rules = rulesOf(created.events[0]?.type === "created" ? created.events[0].game : "chess");
  const waiting = openTable(rules, gameId, created);
  const first = { record: created, encoded: encodeRecord(created, toFirstHash(gameId)) };
  if (join === undefined) return { state: waiting, encoded: [first.encoded], change: toNewGame(waiting, [first]) };
  const joined = join(waiting);
  const second = { record: joined, encoded: encodeRecord(joined, first.encoded.hash) };
  const state = evolve(rules, waiting, joined);
  return { state, encoded: [first.encoded, second.encoded], change: toNewGame(state, [first, second]) };
}

export function toPaidSeat(
  state: TableState<unknown>,
  playerId: PlayerId,
  seat: SeatRequest["seat"],
  command?: SeatRequest["command"],
): { readonly seat: SeatRequest; readonly entry: JournalEntry } {
  const { gameId } = state;
  const { buyIn } = termsOf(state);
  return {
    seat: { playerId, gameId, seat, buyIn, ...(command === undefined ? {} : { command }) },
    entry: decideStakeEntry({ gameId, seat, playerId, amount: buyIn }),
  };
}
