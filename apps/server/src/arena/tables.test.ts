import { expect, test } from "vitest";
import type { Database } from "../platform/database.ts";
import { openTables } from "./tables.ts";
import { openArenaForAll } from "./testing/arena-hooks.ts";
import type { TestArena } from "./testing/test-arena.ts";
import { beginGame } from "./testing/test-game.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

test("players of whom nothing is known are named by their seats", async () => {
  const { gameId } = await beginGame(database, at);
  const tables = openTables({ queries: database.kysely, loadPlayers: async () => new Map(), onLoaded: () => {} });
  const table = await tables.load(gameId);
  expect(table?.players.map((player) => player?.username)).toEqual(["Player 1", "Player 2"]);
});
