import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type TableState, toOpponent } from "@holo/table/state.ts";
import type { JournalEntry } from "../../ledger/ledger.ts";
import { toStakeEntries } from "./game-entries.ts";
import { type GameChange, toNewGame } from "./lifecycle-job.ts";
import { type EncodedRecord, encodeRecord, toFirstHash } from "./log-record.ts";
import type { SeatRequest } from "./seat-facts.ts";
import { termsOf } from "./terms.ts";

export interface NewGame {
  readonly state: TableState<unknown>;
  readonly encoded: readonly EncodedRecord[];
  readonly change: GameChange;
}

interface NewGameOptions {
  /** Decides the record of the second player, who sits down at once. Absent: the game waits. */
  readonly join?: (waiting: TableState<unknown>) => LogRecord;
  /** It waits for a player near its creator's rating. */
  readonly nearRating?: boolean | undefined;
}

/** A game that begins with this record. */
export function makeNewGame(gameId: GameId, created: LogRecord, { join, nearRating }: NewGameOptions = {}): NewGame {
  const [event] = created.events;
  assert(event?.type === "created", "a game begins with its creation");
  const rules = rulesOf(event.game);
  const waiting = openTable(rules, gameId, created);
  const first = { state: waiting, record: created, encoded: encodeRecord(created, toFirstHash(gameId)) };
  if (join === undefined) return { state: waiting, encoded: [first.encoded], change: toNewGame([first], nearRating) };
  const joined = join(waiting);
  const state = evolve(rules, waiting, joined);
  const second = { state, record: joined, encoded: encodeRecord(joined, first.encoded.hash) };
  return { state, encoded: [first.encoded, second.encoded], change: toNewGame([first, second]) };
}

export interface PaidSeat {
  readonly seat: SeatRequest;
  /** None in a free game. */
  readonly entries: readonly JournalEntry[];
}

export function toPaidSeat(
  state: TableState<unknown>,
  playerId: PlayerId,
  seat: SeatRequest["seat"],
  { command, session }: Pick<SeatRequest, "command" | "session"> = {},
): PaidSeat {
  const { gameId, stake, players } = state;
  const { buyIn } = termsOf(state);
  const opponentId = ofSeat(players, toOpponent(seat));
  return {
    seat: { playerId, gameId, seat, stake, buyIn, opponentId, command, session },
    entries: toStakeEntries(state, playerId, seat),
  };
}
