import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { expect, test } from "vitest";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame } from "../game/testing/test-game.ts";
import { addPlayer, gameOf, newId, openTestPlay, type TestPlay } from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

/** A timer fires at the first tick after it is due. */
const TICK_MS = 50;

const numbers = (frame: ServerFrame | undefined) =>
  frame?.type === "stats" ? [frame.playersOnline, frame.gamesPlaying] : null;

// [PRES-02 §4,7 r2] The number of online players follows the connections.
test("broadcasts changed counts at most once a second [PRES-02 CALL-15]", async () => {
  const [ada, bola] = [await addPlayer(database, at), await addPlayer(database, at)];
  await at.advance(SECOND_MS + TICK_MS);
  expect(at.statsFrames.map(numbers)).toEqual([[2, 0]]);

  const gameId: GameId = gameOf(await createGame(at, ada));
  expect(at.lobby.stats()).toEqual({ playersOnline: 2, gamesPlaying: 0 });
  gameOf(await at.matches.join(bola, gameId, newId()));
  expect(at.lobby.stats()).toEqual({ playersOnline: 2, gamesPlaying: 1 });
  at.lobby.connect(ada.id);
  at.lobby.disconnect(ada.id);
  await at.advance(SECOND_MS + TICK_MS);
  expect(at.statsFrames.map(numbers)).toEqual([
    [2, 0],
    [2, 1],
  ]);

  await at.games.cancel(ada.id, gameId, newId());
  at.lobby.disconnect(bola.id);
  at.lobby.connect(bola.id);
  at.lobby.disconnect(bola.id);
  await at.advance(SECOND_MS + TICK_MS);
  expect(at.statsFrames.map(numbers).at(-1)).toEqual([1, 0]);
  await at.advance(5 * SECOND_MS);
  expect(at.statsFrames).toHaveLength(3);
});

test("counts games that are active at the start", async () => {
  const [ada, bola] = [await addPlayer(database, at), await addPlayer(database, at)];
  gameOf(await at.matches.join(bola, gameOf(await createGame(at, ada)), newId()));
  const next = await openTestPlay(database);
  expect(next.lobby.stats()).toEqual({ playersOnline: 0, gamesPlaying: 1 });
  await next.close();
});
