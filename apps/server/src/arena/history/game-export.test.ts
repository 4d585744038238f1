import { readPdn } from "@holo/checkers/testing/read-pdn.ts";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import { makeWatcher, move, type TestArena } from "../testing/test-arena.ts";
import { D4, playOpening, resignGame, startGame } from "../testing/test-game.ts";

const E5 = 28;

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

test("exports each side's network time once the game is over", async () => {
  const game = await startGame(database, at);
  const load = async () => {
    const file = await at.arena.loadGameFile(game.gameId, null, "https://arena.example");
    if (!file.ok) throw new Error(file.refusal);
    return file.value.text;
  };
  for (const player of [game.white, game.black]) {
    await at.arena.watch({ ...makeWatcher(player), lagMs: () => 120 }, game.gameId, 0);
  }
  await playOpening(at, game);
  at.time.advance(1_000);
  expect(await move(at, game.white, game.gameId, 6, [D4, E5])).toMatchObject({ type: "done" });
  expect(await load()).not.toContain("Lag");
  await resignGame(at, game);
  const text = await load();
  expect(text).toContain('[WhiteLag "240 ms, at most 120 ms a move"]');
  expect(text).toContain('[BlackLag "120 ms, at most 120 ms a move"]');
  expect(readPdn(text)).toMatchObject({ ok: true, value: { result: "0-1" } });
});
