import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { startGame } from "../testing/test-game.ts";
import { loadTestWrite } from "../testing/test-writes.ts";
import type { GameWrite } from "./game-writer.ts";
import { type CommitOutcome, GroupCommit } from "./group-commit.ts";

let database: Database;
let at: TestArena;
let groupCommit: GroupCommit;

openArenaForAll((given) => {
  ({ database, at } = given);
});
beforeAll(() => {
  groupCommit = new GroupCommit(database, database.log, openMetrics({ process: false }));
});
afterAll(() => groupCommit.close());

const toWrite = (gameId: GameId, version: number): Promise<GameWrite> => loadTestWrite(database, at, gameId, version);
const add = (write: GameWrite): Promise<CommitOutcome> => new Promise((answer) => groupCommit.add(write, answer));

const COMMITTED = { type: "committed" };
const FAULT = { type: "fault", error: expect.anything() };

test("answers a second row of a game in flight as a fault", async () => {
  const { gameId } = await startGame(database, at);
  const writes = [await toWrite(gameId, 3), await toWrite(gameId, 3)];
  const outcomes = await Promise.all(writes.map(add));
  expect(outcomes).toEqual([{ type: "committed" }, { type: "fault", error: expect.any(BrokenInvariant) }]);
  const { rows: found } = await database.pool.query("select hash from game_log where game_id = $1 and version = 3", [
    gameId,
  ]);
  expect(found).toEqual([{ hash: writes[0]!.encoded.hash }]);
  expect(await add(await toWrite(gameId, 3))).toEqual({ type: "stale" });
  expect(await add(await toWrite(gameId, 4))).toEqual({ type: "committed" });
  const other = { ...(await toWrite(gameId, 5)), hashBefore: writes[1]!.encoded.hash };
  expect(await add(other), "another log").toEqual({ type: "stale" });
  expect(await add(await toWrite(gameId, 6)), "a gap").toEqual({ type: "stale" });
});

test("answers a row as a fault if the game and its log have different versions", async () => {
  const games = [await startGame(database, at), await startGame(database, at)];
  const writes = await Promise.all(games.map(({ gameId }) => toWrite(gameId, 3)));
  const setVersion = (version: number) =>
    database.pool.query("update games set version = $2 where id = $1", [games[0]!.gameId, version]);
  await setVersion(1);
  expect(await Promise.all(writes.map(add))).toEqual([FAULT, COMMITTED]);
  await setVersion(2);
  expect(await add(writes[0]!)).toEqual(COMMITTED);
});

test("commits the other rows of a batch if the database refuses one", async () => {
  const games = [await startGame(database, at), await startGame(database, at), await startGame(database, at)];
  const writes = await Promise.all(games.map(({ gameId }) => toWrite(gameId, 3)));
  const [before, bad, after] = writes as [GameWrite, GameWrite, GameWrite];
  const zero = { ...bad, encoded: { ...bad.encoded, text: bad.encoded.text.replace("id", "i\0d") } };
  const noCount = { ...bad, game: { ...bad.game, move_count: Number.NaN } };
  expect(await Promise.all([before, zero].map(add))).toEqual([COMMITTED, FAULT]);
  expect(await Promise.all([noCount, after].map(add))).toEqual([FAULT, COMMITTED]);
  expect(await add(bad)).toEqual(COMMITTED);
  const { rows } = await database.pool.query("select version from games where id = any($1)", [
    games.map(({ gameId }) => gameId),
  ]);
  expect(rows).toEqual([{ version: 3 }, { version: 3 }, { version: 3 }]);
});
