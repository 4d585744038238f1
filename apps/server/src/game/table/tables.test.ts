import type { PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { fold } from "../log/fold.ts";
import { loadLog } from "../log/game-store.ts";
import { openPlayForAll } from "../testing/play-hooks.ts";
import { startGame } from "../testing/test-game.ts";
import type { TestPlay } from "../testing/test-play.ts";
import { locateTable, openTestTables } from "../testing/test-tables.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

const loadNoPlayers = async (): Promise<ReadonlyMap<PlayerId, PlayerView>> => new Map();

test("names unknown players by their seats [ENT-07]", async () => {
  const { gameId } = await startGame(database, at);
  const tables = openTestTables(database, at, { loadPlayers: loadNoPlayers });
  const { players } = await locateTable(tables, gameId);
  expect(players.map((player) => player?.username)).toEqual(["Player 1", "Player 2"]);
  await tables.close();
});

test("reads the tables of several games together; a broken log fails its own alone", async () => {
  const games = [await startGame(database, at), await startGame(database, at), await startGame(database, at)];
  const [first, broken, last] = games.map(({ gameId }) => gameId);
  await transact(database, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update game_log set hash = repeat('0', 64) where game_id = ${broken} and version = 1`.execute(tx);
  });
  const tables = openTestTables(database, at, {});
  const loaded = await Promise.allSettled([first, broken, last].map((gameId) => tables.locate(gameId!)));
  expect(loaded.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(tables.find(first!)?.state.players).toEqual([games[0]!.white.id, games[0]!.black.id]);
  expect(tables.find(last!)?.state.players).toEqual([games[2]!.white.id, games[2]!.black.id]);
  await tables.close();
});

test("makes one table of a game that is opened while it is being read", async () => {
  const { gameId, white } = await startGame(database, at);
  const named = Promise.withResolvers<void>();
  const tables = openTestTables(database, at, { loadPlayers: () => named.promise.then(loadNoPlayers) });
  const reading = tables.locate(gameId);
  const created = fold(gameId, (await loadLog(database.kysely, gameId, 0)).slice(0, 1));
  const opened = tables.open({ ...created, players: [white, null] }, []);
  named.resolve();
  expect(await reading).toBe(opened);
  expect(tables.find(gameId)).toBe(opened);
  expect(tables.open({ ...created, players: [white, null] }, [])).toBe(opened);
  await tables.close();
});
