import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTables } from "./tables.ts";
import { openTestArena, type TestArena } from "./testing/test-arena.ts";
import { beginGame } from "./testing/test-game.ts";

let database: Database;
let at: TestArena;

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestArena(database);
});

afterAll(async () => {
  await at.close();
  await database.close();
});

test("players of whom nothing is known are named by their seats", async () => {
  const { gameId } = await beginGame(database, at);
  const tables = openTables({ queries: database.kysely, loadPlayers: async () => new Map(), onLoaded: () => {} });
  const table = await tables.load(gameId);
  expect(table?.players.map((player) => player?.username)).toEqual(["Player 1", "Player 2"]);
});
