import type { GameId } from "@holo/kernel/ids.ts";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { runtime } from "../../platform/runtime.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import type { Answer } from "../game.ts";
import { C3, D4, startGame, type TestGame } from "../testing/test-game.ts";
import { findBroken, idOf, move, newId, openTestPlay, type TestPlay } from "../testing/test-play.ts";

/** More than the pool has connections. */
const GAMES = 18;

/** Locks are held for longer than anything may wait for a connection. */
let database: Database;
let holder: pg.Client;
/** PostgreSQL shows one transaction the same activity all the time. */
let observer: pg.Client;
let at: TestPlay;
let games: TestGame[];

beforeAll(async () => {
  const given = await createTestDatabase(RACE_CONNECTIONS);
  await given.close();
  const { connectionString, log } = given;
  database = openDatabase({ connectionString, log, lockTimeoutMs: 60_000, statementTimeoutMs: 0 });
  holder = new pg.Client({ connectionString: given.connectionString });
  observer = new pg.Client({ connectionString: given.connectionString });
  await Promise.all([holder.connect(), observer.connect()]);
});
beforeEach(async () => {
  at = await openTestPlay(database);
  games = [];
  // One after the other: simultaneous seekers would be paired.
  while (games.length < GAMES) games.push(await startGame(database, at));
});
afterEach(async () => {
  await at.close();
  expect(await findBroken(database)).toBeNull();
});
afterAll(async () => {
  await Promise.all([holder.end(), observer.end()]);
  await database.close();
});

async function whileLocked(gameIds: readonly GameId[], work: () => Promise<void>): Promise<void> {
  await holder.query("begin");
  await holder.query("select from games where id = any($1) for update", [gameIds]);
  try {
    await work();
  } finally {
    await holder.query("rollback");
  }
}

async function countWaiting(): Promise<number> {
  const { rows } = await observer.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

test.each<[string, (game: TestGame) => Promise<Answer>]>([
  ["players end", ({ white, gameId }) => at.games.cancel(idOf(white), gameId, newId())],
  ["staff end", ({ gameId }) => at.games.cancelByStaff(gameId, "", async () => null)],
])("commits the move of a game that must be claimed and read while the games that %s are locked", async (_, end) => {
  const before = await openTestPlay(database);
  const moved = await startGame(database, before);
  await before.close();
  await before.own.end();
  let ends: readonly Promise<Answer>[] = [];
  await whileLocked(
    games.map(({ gameId }) => gameId),
    async () => {
      // A job whose locks stay taken fails after five seconds.
      const clock = vi.spyOn(runtime.current, "monotonicMs").mockReturnValue(performance.now());
      onTestFinished(() => clock.mockRestore());
      ends = games.map(end);
      await expect.poll(countWaiting).toBeGreaterThanOrEqual(3);
      expect(await move(at, moved.white, moved.gameId, 2, [C3!, D4!])).toMatchObject({ type: "done", version: 3 });
    },
  );
  expect(await Promise.all(ends)).toEqual(games.map(() => expect.objectContaining({ type: "done", status: "ended" })));
});

test("commits a move while the row of its game is locked", async () => {
  const [{ white, gameId }] = games as [TestGame];
  await whileLocked([gameId], async () => {
    expect(await move(at, white, gameId, 2, [C3!, D4!])).toMatchObject({ type: "done", version: 3 });
  });
});
