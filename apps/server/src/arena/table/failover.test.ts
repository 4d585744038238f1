import type { GameId } from "@holo/kernel/ids.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import type { Answer, Arena } from "../arena.ts";
import type { CommitOutcome } from "../log/group-commit.ts";
import { findBroken, makeWatcher, move, newId, openTestArena, openTestServers } from "../testing/test-arena.ts";
import { C3, F6, G5, playOpening, startGame, type TestGame } from "../testing/test-game.ts";
import { openTestTables } from "../testing/test-tables.ts";

const [E3, F4, B4, H6] = [44, 37, 33, 23];

/** Its connections take functions of the database itself before those of PostgreSQL. */
let database: Database;

beforeAll(async () => {
  const given = await createTestDatabase();
  await given.close();
  const url = new URL(given.connectionString);
  url.searchParams.set("options", "-c search_path=public,pg_catalog");
  database = openDatabase({ connectionString: url.href, log: given.log });
});
afterEach(async () => expect(await findBroken(database)).toBeNull());
afterAll(() => database.close());

/** A standby takes over that lacks the record of version 6. */
async function failOver(gameId: GameId): Promise<void> {
  await database.pool.query(`begin; set local session_replication_role = replica;
    delete from game_log where game_id = '${gameId}' and version = 6;
    update games set version = 5, move_count = 3, current_turn = 4 where id = '${gameId}'; commit`);
  await sql`
    create or replace function public.pg_postmaster_start_time() returns timestamptz language sql
    as ${sql.lit(`select '${new Date().toISOString()}'::timestamptz`)}`.execute(database.kysely);
}

test("sends the true table although another record took the place of one that was lost in a failover", async () => {
  const [first, second] = await openTestServers(database);
  const game = await startGame(database, first);
  const { gameId, white, black } = game;
  const spectator = makeWatcher(null);
  await first.arena.watch(spectator, gameId, 0);
  await playOpening(first, game);
  await first.arena.catchUp();
  await failOver(gameId);
  expect(await move(second, black, gameId, 5, [H6, G5!])).toMatchObject({ type: "done", version: 6 });
  await first.arena.catchUp();
  await vi.waitFor(() => expect(spectator.frames.at(-1)).toMatchObject({ type: "table", since: 0, version: 6 }));
  expect(await move(first, white, gameId, 6, [C3!, B4])).toMatchObject({ type: "done", version: 7 });
  await Promise.all([first.close(), second.close()]);
});

test.each<[string, (arena: Arena, game: TestGame) => Promise<Answer>]>([
  ["staff cancel", (arena, { gameId }) => arena.cancelByStaff(gameId, "", async () => null)],
  ["players end", (arena, { gameId, white }) => arena.resign(white.id, gameId, newId())],
])("ends no game that %s behind a record that was lost in a failover", async (_, end) => {
  const [first, second] = await openTestServers(database);
  const game = await startGame(database, first);
  const { gameId, black } = game;
  await playOpening(first, game);
  await failOver(gameId);
  expect(await move(second, black, gameId, 5, [H6, G5!])).toMatchObject({ type: "done", version: 6 });
  expect(await end(first.arena, game)).toEqual({ type: "unknown" });
  await vi.waitFor(async () => expect(await end(first.arena, game)).toMatchObject({ type: "done", version: 7 }));
  await Promise.all([first.close(), second.close()]);
});

test("sends the shorter game soon after a failover, also with one server", async () => {
  const at = await openTestArena(database);
  const game = await startGame(database, at);
  const { gameId, white, black } = game;
  const watcher = makeWatcher(white);
  await at.arena.watch(watcher, gameId, 0);
  await playOpening(at, game);
  await failOver(gameId);
  await at.advance(5_000);
  await vi.waitFor(() => expect(watcher.frames.at(-1)).toMatchObject({ type: "table", since: 0, version: 5 }));
  expect(await move(at, black, gameId, 5, [F6!, G5!])).toMatchObject({ type: "done", version: 6 });
  await at.close();
});

test("reads a table again after a failover although a commit was in progress", async () => {
  const at = await openTestArena(database);
  const game = await startGame(database, at);
  const { gameId, white, black } = game;
  await playOpening(at, game);
  const commits: ((outcome: CommitOutcome) => void)[] = [];
  const tables = openTestTables(database, at, { groupCommit: { add: (_, answer) => void commits.push(answer) } });
  const table = await tables.load(gameId);
  const id = newId();
  const command = { type: "move", id, player: white.id, atVersion: 6, path: [E3, F4], delivery: NO_DELIVERY } as const;
  table?.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer: () => undefined });
  await failOver(gameId);
  await tables.rereadDiverged();
  expect(table?.state.version).toBe(6);
  commits[0]?.({ type: "committed" });
  expect(table?.state.version).toBe(7);
  await tables.rereadDiverged();
  await vi.waitFor(() => expect(table?.state.version).toBe(5));
  await tables.close();
  await at.arena.catchUp();
  expect(await move(at, black, gameId, 5, [F6!, G5!])).toMatchObject({ type: "done", version: 6 });
  await at.close();
});
