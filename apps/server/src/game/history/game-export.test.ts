import { readPdn } from "@holo/checkers/testing/read-pdn.ts";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { foldInSteps } from "../log/fold.ts";
import { loadLog } from "../log/game-store.ts";
import { openPlayForAll } from "../testing/play-hooks.ts";
import { lengthenLog } from "../testing/stored-logs.ts";
import { D4, playOpening, resignGame, startGame } from "../testing/test-game.ts";
import { move, newId, type TestPlay } from "../testing/test-play.ts";

const E5 = 28;

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

test("exports each side's network time once the game is over", async () => {
  const game = await startGame(database, at);
  const load = async () => {
    const file = await at.games.loadGameFile(game.gameId, null, "https://arena.example");
    if (!file.ok) throw new Error(file.refusal);
    return file.value.text;
  };
  await playOpening(at, game, 120);
  at.time.advance(1_000);
  expect(await move(at, game.white, game.gameId, 6, [D4, E5], newId(), 120)).toMatchObject({ type: "done" });
  expect(await load()).not.toContain("Lag");
  await resignGame(at, game);
  const text = await load();
  expect(text).toContain('[WhiteLag "240 ms, at most 120 ms a move"]');
  expect(text).toContain('[BlackLag "120 ms, at most 120 ms a move"]');
  expect(readPdn(text)).toMatchObject({ ok: true, value: { result: "0-1" } });
});

test("reads the log of a game once for any number of files of it, and again after a new record", async () => {
  const game = await startGame(database, at);
  await playOpening(at, game);
  await resignGame(at, game);
  const load = async () => {
    const file = await at.games.loadGameFile(game.gameId, null, "https://arena.example");
    if (!file.ok) throw new Error(file.refusal);
    return file.value;
  };
  const files = await Promise.all(Array.from({ length: 5 }, load));
  expect(files.map(({ recordsRead }) => recordsRead).sort()).toEqual([0, 0, 0, 0, 7]);
  expect(new Set(files.map(({ text }) => text)).size).toBe(1);
  expect((await load()).recordsRead).toBe(0);
  await at.games.offer("offer_rematch", game.black.id, game.gameId, newId());
  expect(await load()).toMatchObject({ recordsRead: 8, text: files[0]?.text });
});

test("pauses after each record while it reads a log", async () => {
  const { gameId } = await startGame(database, at);
  await lengthenLog(database.kysely, gameId, 30);
  const steps = foldInSteps(gameId, await loadLog(database.kysely, gameId, 0));
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  expect(pauses).toBe(31);
});
