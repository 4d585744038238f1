import { randomUUID } from "node:crypto";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { Fenced } from "../../platform/servers/fence.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestServer, type TestServer } from "../../platform/testing/test-own-server.ts";
import { insertBareGame } from "../testing/bare-games.ts";
import { makeTestWrite } from "../testing/test-writes.ts";
import { type Claimed, claimGames, clearUnserved, listAbandoned, releaseGames } from "./claim-store.ts";
import { loadLog } from "./game-store.ts";
import { APPEND_BATCH, toBatchValues } from "./game-writer.ts";
import { type CommitOutcome, GroupCommit } from "./group-commit.ts";

let database: Database;
let before: TestServer;
let first: TestServer;
let second: TestServer;
/** A server that is stopped in the middle of its transaction. */
let paused: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  paused = new pg.Client(toClientConfig({ connectionString: database.connectionString }));
  await paused.connect();
});
beforeEach(async () => {
  await database.pool.query("delete from games");
  [before, first, second] = [
    await makeTestServer(database),
    await makeTestServer(database),
    await makeTestServer(database),
  ];
});
afterAll(async () => {
  await paused.end();
  await database.close();
});

const at = (ms: number): Instant => ms as Instant;
const insert = (status: "waiting" | "active" | "completed", owner: TestServer | null): Promise<GameId> =>
  insertBareGame(database.kysely, status, owner?.id ?? null);

async function claim(owner: TestServer, gameId: GameId): Promise<Claimed | undefined> {
  return (await claimGames(database.kysely, owner.fence(), [gameId])).get(gameId);
}

async function loadRow(gameId: GameId) {
  const { rows } = await sql<{ owner: string | null; unservedFrom: number | null }>`
    select owner, unserved_from::float8 as "unservedFrom" from games where id = ${gameId}`.execute(database.kysely);
  return rows[0];
}

test("claims what no server owns, and says who owns the rest", async () => {
  const [waiting, free, own, others, ended] = [
    await insert("waiting", null),
    await insert("active", null),
    await insert("active", first),
    await insert("active", second),
    await insert("completed", before),
  ];
  await before.end();
  const unknown = toGameId(randomUUID());
  const claimed = await claimGames(database.kysely, first.fence(), [waiting, free, own, others, ended, unknown]);
  const mine = { owner: first.id, isOwn: true, unserved: null };
  expect(Object.fromEntries(claimed)).toEqual({
    [waiting]: { owner: null, isOwn: false, status: "waiting", unserved: null },
    [free]: { ...mine, status: "active" },
    [own]: { ...mine, status: "active" },
    [others]: { owner: second.id, isOwn: false, status: "active", unserved: null },
    [ended]: { ...mine, status: "completed" },
  });
  expect(await claimGames(database.kysely, first.fence(), [unknown])).toEqual(new Map());
  expect(await loadRow(ended)).toEqual({ owner: first.id, unservedFrom: null });
});

test("one of two servers that claim a game at once gets it", async () => {
  const gameId = await insert("active", before);
  await before.end();
  await paused.query("begin");
  await paused.query("select from games where id = $1 for update", [gameId]);
  const claims = Promise.all([first, second].map((owner) => claim(owner, gameId)));
  await expect
    .poll(async () => (await database.pool.query("select from pg_locks where not granted")).rows.length)
    .toBe(2);
  await paused.query("rollback");
  const owners = (await claims).map((claimed) => claimed?.owner);
  expect(owners[0]).toBe(owners[1]);
  expect((await claims).map((claimed) => claimed?.isOwn).sort()).toEqual([false, true]);
});

test("a game of a server whose row is gone is claimed, but not one of a server that has only just begun", async () => {
  const forgotten = await insert("completed", before);
  const gameId = await insert("active", null);
  await before.end();
  await database.pool.query("delete from servers where server_id = $1", [before.id]);
  expect(await claim(first, forgotten)).toMatchObject({ isOwn: true });
  await paused.query("begin");
  await paused.query("select from games where id = $1 for update", [gameId]);
  const claimed = claim(first, gameId);
  await untilOneWaits(database);
  const newer = await makeTestServer(database);
  await paused.query("update games set owner = $2 where id = $1", [gameId, newer.id]);
  await paused.query("commit");
  expect(await claimed).toMatchObject({ owner: newer.id, isOwn: false });
});

test("who claims waits for a transaction in flight, and reads what it wrote", async () => {
  const gameId = await insert("active", null);
  await paused.query("begin");
  await paused.query("select from games where id = $1 for update", [gameId]);
  await paused.query(APPEND_BATCH, toBatchValues(before.fence(), [makeTestWrite(gameId, 3)]));
  const reading = claim(first, gameId).then(() => loadLog(database.kysely, gameId, 0));
  await untilOneWaits(database);
  await paused.query("commit");
  expect(await reading).toMatchObject([{ version: 3 }]);
});

test("a game is not claimed before the end of its owner is stored, which waits for its records", async () => {
  const gameId = await insert("active", before);
  await paused.query("begin");
  await paused.query(APPEND_BATCH, toBatchValues(before.fence(), [makeTestWrite(gameId, 3)]));
  const ended = database.pool.query(
    `with locked as materialized (select server_id from servers where server_id = $1 for update)
     update servers set ended_at = 1, last_beat_at = 1, end_cause = 'gone' from locked where servers.server_id = locked.server_id`,
    [before.id],
  );
  await untilOneWaits(database);
  expect(await claim(first, gameId)).toMatchObject({ owner: before.id, isOwn: false });
  await paused.query("commit");
  await ended;
  expect(await claim(first, gameId)).toMatchObject({ isOwn: true });
  expect(await loadLog(database.kysely, gameId, 0)).toMatchObject([{ version: 3 }]);
});

test("remembers since when a game was unserved, until its log has the credit", async () => {
  const gameId = await insert("active", before);
  await before.end({ lastBeatAt: at(5_000), endedAt: at(8_000), cause: "gone" });
  const unserved = { fromAt: 5_000, againFromAt: 5_000, until: 18_000, cause: "restart" };
  expect(await claim(first, gameId)).toEqual({ owner: first.id, isOwn: true, status: "active", unserved });
  await first.end({ lastBeatAt: at(20_000), endedAt: at(23_000), cause: "stalled" });
  expect(await claim(second, gameId)).toMatchObject({
    unserved: { fromAt: 5_000, againFromAt: 20_000, until: 33_000, cause: "stall" },
  });
  await clearUnserved(database.kysely, second.fence(), [gameId]);
  expect(await claim(second, gameId)).toMatchObject({ isOwn: true, unserved: null });
});

test("releases own games, which are abandoned until another claims them", async () => {
  const [own, others, ended] = [
    await insert("active", first),
    await insert("active", second),
    await insert("completed", first),
  ];
  await releaseGames(database.kysely, first.fence(), [own, others, ended], at(7_000));
  expect(await loadRow(own)).toEqual({ owner: null, unservedFrom: 7_000 });
  expect(await loadRow(others)).toEqual({ owner: second.id, unservedFrom: null });
  expect(await loadRow(ended)).toEqual({ owner: null, unservedFrom: null });
  expect(await listAbandoned(database.kysely, 10)).toEqual([own]);
  expect(await claim(second, own)).toMatchObject({ unserved: { fromAt: 7_000, until: 17_000, cause: "stall" } });
  expect(await listAbandoned(database.kysely, 10)).toEqual([]);
  await second.end();
  expect((await listAbandoned(database.kysely, 10)).toSorted()).toEqual([own, others].toSorted());
  expect(await listAbandoned(database.kysely, 1)).toHaveLength(1);
});

test("lets an ended server neither claim nor release", async () => {
  const gameId = await insert("active", first);
  await first.end();
  const { kysely } = database;
  await expect(claimGames(kysely, first.fence(), [gameId])).rejects.toThrow(Fenced);
  await expect(releaseGames(kysely, first.fence(), [gameId], at(1))).rejects.toThrow(Fenced);
  await expect(clearUnserved(kysely, first.fence(), [gameId])).rejects.toThrow(Fenced);
  expect(await loadRow(gameId)).toEqual({ owner: first.id, unservedFrom: null });
});

test.each([
  { how: "is fenced by the end", ends: true, outcome: { type: "fenced" } },
  { how: "goes on if the end was given up", ends: false, outcome: { type: "committed" } },
])("a batch waits for a server that is ending its own, and $how", async ({ ends, outcome }) => {
  const groupCommit = new GroupCommit(database, database.log, openMetrics({ process: false }), first);
  const gameId = toGameId(randomUUID());
  await paused.query("begin");
  await paused.query("select from servers where server_id = $1 for update", [first.id]);
  const committed = new Promise<CommitOutcome>((answer) => groupCommit.add(makeTestWrite(gameId, 3), answer));
  await untilOneWaits(database);
  if (ends)
    await paused.query("update servers set ended_at = 1, last_beat_at = 1, end_cause = 'gone' where server_id = $1", [
      first.id,
    ]);
  await paused.query(ends ? "commit" : "rollback");
  expect(await committed).toEqual(outcome);
  expect(await loadLog(database.kysely, gameId, 0)).toHaveLength(ends ? 0 : 1);
  await groupCommit.close();
});
