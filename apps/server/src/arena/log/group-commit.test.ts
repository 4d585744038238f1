import { randomUUID } from "node:crypto";
import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { startGame } from "../testing/test-game.ts";
import { type GroupCommit, type MoveRow, openGroupCommit, type RowOutcome } from "./group-commit.ts";

let database: Database;
let at: TestArena;
let groupCommit: GroupCommit;

openArenaForAll((given) => {
  ({ database, at } = given);
});
beforeAll(() => {
  groupCommit = openGroupCommit(database, database.log, openMetrics({ process: false }));
});
afterAll(() => groupCommit.close());

function toRow(gameId: GameId, version: number): MoveRow {
  return {
    gameId,
    version,
    entry: `{"version":${version},"told":"${randomUUID()}"}`,
    at: at.time.now(),
    hash: randomUUID().replaceAll("-", "").padEnd(64, "0"),
    board: "W:W21:B12",
    moveCount: 1,
    captures: [0, 0],
    remainingMs: [1, 1],
    deadlineAt: null,
  };
}

const add = (row: MoveRow): Promise<RowOutcome> => new Promise((answer) => groupCommit.add(row, answer));

const COMMITTED = { type: "committed" };
const FAULT = { type: "fault", error: expect.anything() };

test("of two rows of one game at once the second is nobody's to acknowledge, and its table stops", async () => {
  const { gameId } = await startGame(database, at);
  const rows = [toRow(gameId, 3), toRow(gameId, 3)];
  const outcomes = await Promise.all(rows.map(add));
  expect(outcomes).toEqual([{ type: "committed" }, { type: "fault", error: expect.any(BrokenInvariant) }]);
  const { rows: found } = await database.pool.query("select hash from game_log where game_id = $1 and version = 3", [
    gameId,
  ]);
  expect(found).toEqual([{ hash: rows[0]!.hash }]);
  expect(await add(toRow(gameId, 3))).toEqual({ type: "stale" });
  expect(await add(toRow(gameId, 4))).toEqual({ type: "committed" });
});

test("a row that the database will not have is its own table's fault: those that came with it stand", async () => {
  const games = [await startGame(database, at), await startGame(database, at), await startGame(database, at)];
  const [before, bad, after] = games.map(({ gameId }) => toRow(gameId, 3)) as [MoveRow, MoveRow, MoveRow];
  const zero = { ...bad, entry: bad.entry.replace("told", "to\0d") };
  const noCount = { ...bad, moveCount: Number.NaN };
  expect(await Promise.all([before, zero].map(add))).toEqual([COMMITTED, FAULT]);
  expect(await Promise.all([noCount, after].map(add))).toEqual([FAULT, COMMITTED]);
  expect(await add(bad)).toEqual(COMMITTED);
  const { rows } = await database.pool.query("select version from games where id = any($1)", [
    games.map(({ gameId }) => gameId),
  ]);
  expect(rows).toEqual([{ version: 3 }, { version: 3 }, { version: 3 }]);
});
