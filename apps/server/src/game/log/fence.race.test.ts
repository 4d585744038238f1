import { randomUUID } from "node:crypto";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestServer, type TestServer } from "../../platform/testing/test-own-server.ts";
import { makeTestWrite } from "../testing/test-writes.ts";
import { APPEND_BATCH, toBatchValues } from "./game-writer.ts";
import { type CommitOutcome, GroupCommit } from "./group-commit.ts";

let database: Database;
let own: TestServer;
/** Another server, stopped in the middle of its transaction. */
let paused: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  paused = new pg.Client(toClientConfig({ connectionString: database.connectionString }));
  await paused.connect();
});
beforeEach(async () => {
  own = await makeTestServer(database);
});
afterAll(async () => {
  await paused.end();
  await database.close();
});

const open = () => new GroupCommit(database, database.log, openMetrics({ process: false }), own);

async function countRecords(gameId: GameId): Promise<number> {
  const { rows } = await database.pool.query("select from game_log where game_id = $1", [gameId]);
  return rows.length;
}

const END = "update servers set ended_at = 1, last_beat_at = 1, end_cause = 'gone' where server_id = $1";

test("a batch waits for a server that is ending its own, and is fenced by the end", async () => {
  const groupCommit = open();
  const gameId = toGameId(randomUUID());
  await paused.query("begin");
  await paused.query("select from servers where server_id = $1 for update", [own.id]);
  const outcome = new Promise<CommitOutcome>((answer) => groupCommit.add(makeTestWrite(gameId, 3), answer));
  await untilOneWaits(database);
  await paused.query(END, [own.id]);
  await paused.query("commit");
  expect(await outcome).toEqual({ type: "fenced" });
  expect(await countRecords(gameId)).toBe(0);
  await groupCommit.close();
});

test("a batch goes on if the end that it waited for was given up", async () => {
  const groupCommit = open();
  const gameId = toGameId(randomUUID());
  await paused.query("begin");
  await paused.query("select from servers where server_id = $1 for update", [own.id]);
  const outcome = new Promise<CommitOutcome>((answer) => groupCommit.add(makeTestWrite(gameId, 3), answer));
  await untilOneWaits(database);
  await paused.query("rollback");
  expect(await outcome).toEqual({ type: "committed" });
  await groupCommit.close();
});

test("an end waits for a batch in flight: after it no record of that server commits", async () => {
  const gameId = toGameId(randomUUID());
  await paused.query("begin");
  await paused.query(APPEND_BATCH, toBatchValues(own.fence(), [makeTestWrite(gameId, 3)]));
  const ended = database.pool.query(
    "with row as (select server_id from servers where server_id = $1 for update) select from row",
    [own.id],
  );
  await untilOneWaits(database);
  expect(await countRecords(gameId)).toBe(0);
  await paused.query("commit");
  await ended;
  expect(await countRecords(gameId)).toBe(1);
});
