import { assert } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { runSteps, type Steps } from "@holo/kernel/steps.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import type { LogRow } from "./game-store.ts";
import { encodeRecord, parseRecord, type SendableRecord, toFirstHash, toSendable } from "./log-record.ts";

export interface FoldedGame {
  readonly state: TableState<unknown>;
  readonly records: SendableRecord[];
  readonly hash: string;
}

/** Folds a whole log. Throws unless the hashes form a chain. */
export function fold(gameId: GameId, rows: readonly LogRow[]): FoldedGame {
  return runSteps(foldInSteps(gameId, rows));
}

/** As `fold`, with a step for each record: a long log takes a tenth of a second. */
export function* foldInSteps(gameId: GameId, rows: readonly LogRow[]): Steps<FoldedGame> {
  const [first, ...rest] = rows;
  assert(first !== undefined, "a log is not empty");
  const created = parseRecord(first.text);
  const game = created.events[0]?.type === "created" ? created.events[0].game : null;
  assert(game !== null, `the log of ${gameId} does not begin with its creation`);
  const records = [toVerified(created, first, toFirstHash(gameId))];
  return yield* foldOnInSteps({ state: openTable(rulesOf(game), gameId, created), records, hash: first.hash }, rest);
}

function* foldOnInSteps(known: FoldedGame, rows: readonly LogRow[]): Steps<FoldedGame> {
  let { state, hash } = known;
  const records = [...known.records];
  for (const row of rows) {
    const record = parseRecord(row.text);
    records.push(toVerified(record, row, hash));
    state = evolve(rulesOf(state.game), state, record);
    hash = row.hash;
    yield;
  }
  return { state, records, hash };
}

function toVerified(record: LogRecord, row: LogRow, hashBefore: string): SendableRecord {
  const encoded = encodeRecord(record, hashBefore);
  assert(encoded.hash === row.hash, `record ${row.version} does not continue its chain of hashes`);
  return toSendable(encoded);
}
