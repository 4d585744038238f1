import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { loadLog } from "../log/game-store.ts";
import { parseRecord } from "../log/log-record.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { startGame } from "../testing/test-game.ts";
import { fold, openTableRegistry } from "./registry.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

test("players of whom nothing is known are named by their seats [ENT-07b]", async () => {
  const { gameId } = await startGame(database, at);
  const tables = openTableRegistry({
    queries: database.kysely,
    loadPlayers: async () => new Map(),
    onLoaded: () => {},
  });
  const table = await tables.load(gameId);
  expect(table?.players.map((player) => player?.username)).toEqual(["Player 1", "Player 2"]);
});

test("a game that is still being read when its server puts it here is one table", async () => {
  const { gameId, white } = await startGame(database, at);
  let goOn: () => void = () => undefined;
  const named = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const tables = openTableRegistry({
    queries: database.kysely,
    loadPlayers: async () => {
      await named;
      return new Map();
    },
    onLoaded: () => {},
  });
  const reading = tables.load(gameId);
  const rows = await loadLog(database.kysely, gameId, 0);
  const { state, hash } = fold(gameId, rows.slice(0, 1));
  const [first] = rows;
  const { by, version, at: createdAt } = parseRecord(first!.text);
  const written = { version, by, at: createdAt, hash, commandId: undefined, publicText: "", text: "" };
  const kept = tables.keep(state, [written], [white, null]);
  goOn();
  expect(await reading).toBe(kept);
  expect(tables.find(gameId)).toBe(kept);
  expect(tables.keep(state, [written], [white, null])).toBe(kept);
});
