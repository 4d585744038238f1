import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { expect, test } from "vitest";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { startGame } from "../testing/test-game.ts";
import { loadTestWrite } from "../testing/test-writes.ts";
import { APPEND_BATCH, toBatchValues } from "./game-writer.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(toClientConfig({ connectionString: database.connectionString }));
  await client.connect();
  return client;
}

test("does not lock the games of two servers' batches in opposite orders", async () => {
  const gameIds: GameId[] = [];
  while (gameIds.length < 3) gameIds.push((await startGame(database, at)).gameId);
  const [, between] = gameIds;
  const [holder, ...servers] = await Promise.all([connect(), connect(), connect()]);
  const orders = [gameIds, gameIds.toReversed()];
  const batches = await Promise.all(
    orders.map((order) => Promise.all(order.map((gameId) => loadTestWrite(database, at, gameId, 3)))),
  );
  await holder!.query("begin");
  await holder!.query("select from games where id = $1 for update", [between]);
  const commits = servers.map((server, index) => server.query(APPEND_BATCH, toBatchValues(batches[index]!)));
  const countWaiting = async (): Promise<number> => {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  await expect.poll(countWaiting).toBe(2);
  await holder!.query("rollback");
  const results = await Promise.all(commits);
  expect(results.map(({ rowCount }) => rowCount).sort()).toEqual([0, 3]);
  await Promise.all([holder!, ...servers].map((client) => client.end()));
});
