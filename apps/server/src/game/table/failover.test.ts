import type { GameId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import type { Answer, Games } from "../game.ts";
import { holdClaims } from "../testing/hold-claims.ts";
import { F6, G5, playOpening, startGame, type TestGame } from "../testing/test-game.ts";
import { findBroken, makeWatcher, move, newId, openTestPlay, type TestPlay } from "../testing/test-play.ts";

const [E3, F4] = [44, 37];

/** Its connections take functions of the database itself before those of PostgreSQL. */
let database: Database;
let at: TestPlay;

beforeAll(async () => {
  const given = await createTestDatabase();
  await given.close();
  const url = new URL(given.connectionString);
  url.searchParams.set("options", "-c search_path=public,pg_catalog");
  database = openDatabase({ connectionString: url.href, log: given.log });
  await startDatabase();
});
beforeEach(async () => {
  at = await openTestPlay(database);
});
afterEach(async () => {
  await at.close();
  expect(await findBroken(database)).toBeNull();
});
afterAll(() => database.close());

/** As far as the servers can tell. */
async function startDatabase(): Promise<void> {
  await sql`
    create or replace function public.pg_postmaster_start_time() returns timestamptz language sql
    as ${sql.lit(`select '${new Date().toISOString()}'::timestamptz`)}`.execute(database.kysely);
}

/** A standby takes over that lacks the newest record. */
async function failOver(gameId: GameId): Promise<void> {
  await database.pool.query(`begin; set local session_replication_role = replica;
    delete from game_log newest where game_id = '${gameId}'
      and not exists (select from game_log where game_id = newest.game_id and version > newest.version); commit`);
  await startDatabase();
}

/** The server notices that PostgreSQL was restarted, by a write that was refused. */
async function renewOnceFenced(): Promise<void> {
  const retryClaims = holdClaims();
  await expect.poll(() => at.own.fencedCount).toBeGreaterThan(0);
  await at.own.renew();
  retryClaims();
}

test("sends the shorter game after a failover that lost its newest record, and goes on from there", async () => {
  const game = await startGame(database, at);
  const { gameId, white, black } = game;
  const watcher = makeWatcher(white);
  await at.games.watch(watcher, gameId, 0);
  await playOpening(at, game);
  await failOver(gameId);
  const answered = move(at, white, gameId, 6, [E3, F4]);
  await renewOnceFenced();
  expect(await answered).toMatchObject({ code: "stale_version" });
  await expect.poll(() => watcher.frames.at(-1)).toMatchObject({ type: "table", since: 0, version: 5 });
  expect(await move(at, black, gameId, 5, [F6, G5])).toMatchObject({ type: "done", version: 6 });
  expect(await move(at, white, gameId, 6, [E3, F4])).toMatchObject({ type: "done", version: 7 });
  expect(watcher.frames.at(-1)).toMatchObject({ type: "record", record: { version: 7 } });
});

test.each<[string, (games: Games, game: TestGame) => Promise<Answer>]>([
  ["staff cancel", (games, { gameId }) => games.cancelByStaff(gameId, "", async () => null)],
  ["players end", (games, { gameId, black }) => games.resign(black.id, gameId, newId())],
])("ends no game that %s behind a record that was lost in a failover", async (_, end) => {
  const game = await startGame(database, at);
  await playOpening(at, game);
  expect(await move(at, game.white, game.gameId, 6, [E3, F4])).toMatchObject({ type: "done" });
  await failOver(game.gameId);
  const ending = end(at.games, game);
  await renewOnceFenced();
  const answer = await ending;
  // Staff ask again; the command of a player is decided again.
  const last = answer.type === "unknown" ? await end(at.games, game) : answer;
  expect(last).toMatchObject({ type: "done", version: 7, status: "ended" });
});
