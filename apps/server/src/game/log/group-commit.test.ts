import { randomUUID } from "node:crypto";
import { BrokenInvariant } from "@holo/kernel/assert.ts";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestServer, type TestServer } from "../../platform/testing/test-own-server.ts";
import { makeTestWrite } from "../testing/test-writes.ts";
import type { GameWrite } from "./game-writer.ts";
import { type CommitOutcome, GroupCommit } from "./group-commit.ts";

let database: Database;
let own: TestServer;
let groupCommit: GroupCommit;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  own = await makeTestServer(database);
  groupCommit = open(own);
});
afterEach(() => groupCommit.close());
afterAll(() => database.close());

const open = (owner: TestServer) => new GroupCommit(database, database.log, openMetrics({ process: false }), owner);
const add = (write: GameWrite): Promise<CommitOutcome> => new Promise((answer) => groupCommit.add(write, answer));
const newGame = (): GameId => toGameId(randomUUID());

async function loadHashes(gameId: GameId): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ hash: string }>(
    "select hash from game_log where game_id = $1 order by version",
    [gameId],
  );
  return rows.map(({ hash }) => hash);
}

const COMMITTED = { type: "committed" };
const CONFLICT = { type: "conflict" };
const FENCED = { type: "fenced" };
const FAULT = { type: "fault", error: expect.anything() };

test("answers a row that another record has taken as a conflict, and its own sent again as committed", async () => {
  const [first, second] = [newGame(), newGame()];
  const own = makeTestWrite(first, 3);
  expect(await add(own)).toEqual(COMMITTED);
  const batch = [own, makeTestWrite(second, 3)];
  expect(await Promise.all(batch.map(add)), "sent again beside a new one").toEqual([COMMITTED, COMMITTED]);
  expect(await Promise.all([makeTestWrite(first, 3), makeTestWrite(second, 4)].map(add))).toEqual([
    CONFLICT,
    COMMITTED,
  ]);
  expect(await loadHashes(first)).toEqual([own.encoded.hash]);
});

test("answers a second row of a game in flight as a fault", async () => {
  const gameId = newGame();
  const writes = [makeTestWrite(gameId, 3), makeTestWrite(gameId, 4)];
  expect(await Promise.all(writes.map(add))).toEqual([
    COMMITTED,
    { type: "fault", error: expect.any(BrokenInvariant) },
  ]);
  expect(await loadHashes(gameId)).toEqual([writes[0]!.encoded.hash]);
});

test("commits the other rows of a batch if the database refuses one", async () => {
  const [before, bad, after] = [newGame(), newGame(), newGame()].map((gameId) => makeTestWrite(gameId, 3)) as [
    GameWrite,
    GameWrite,
    GameWrite,
  ];
  const zero = { ...bad, encoded: { ...bad.encoded, text: bad.encoded.text.replace("id", "i\0d") } };
  const noCount = { ...bad, row: { ...bad.row, move_count: Number.NaN } };
  expect(await Promise.all([before, zero].map(add))).toEqual([COMMITTED, FAULT]);
  expect(await Promise.all([noCount, after].map(add))).toEqual([FAULT, COMMITTED]);
  expect(await add(bad)).toEqual(COMMITTED);
});

test("writes nothing for a server that has ended, but knows what it had committed", async () => {
  const [gameId, other] = [newGame(), newGame()];
  const committed = makeTestWrite(gameId, 3);
  expect(await add(committed)).toEqual(COMMITTED);
  await own.end();
  const late = [committed, makeTestWrite(other, 3)];
  expect(await Promise.all(late.map(add))).toEqual([COMMITTED, FENCED]);
  expect(own.fencedCount).toBe(1);
  expect(await loadHashes(other)).toEqual([]);
});

test("writes nothing under another start of PostgreSQL", async () => {
  const moved = { ...own, fence: () => ({ ...own.fence(), databaseStart: "1" }) };
  const lane = open(moved);
  const gameId = newGame();
  expect(await new Promise((answer) => lane.add(makeTestWrite(gameId, 3), answer))).toEqual(FENCED);
  expect(await loadHashes(gameId)).toEqual([]);
  await lane.close();
});

test("does not send under a new id what was decided under the old one", async () => {
  const renewed = await makeTestServer(database);
  let current = own;
  const lane = open({ ...own, fence: () => current.fence() });
  const gameId = newGame();
  const old = new Promise((answer) => lane.add(makeTestWrite(gameId, 3), answer));
  current = renewed;
  const next = makeTestWrite(gameId, 3);
  const new_ = new Promise((answer) => lane.add(next, answer));
  expect(await Promise.all([old, new_])).toEqual([FENCED, COMMITTED]);
  expect(await loadHashes(gameId)).toEqual([next.encoded.hash]);
  await lane.close();
});
