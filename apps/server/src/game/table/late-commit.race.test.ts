import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { delayCommits } from "../../platform/testing/lost-commits.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import { C3, createGame, D4, playOpening, resignGame, startGame } from "../testing/test-game.ts";
import {
  addPlayer,
  findBroken,
  gameOf,
  idOf,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  type TestPlay,
  waitUntilIdle,
} from "../testing/test-play.ts";

/**
 * A committed game is visible to others before the server that wrote it receives the
 * acknowledgement.
 */
let database: Database;
let at: TestPlay;
let held: (() => void)[];
let isHolding: boolean;

beforeAll(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
});
beforeEach(async () => {
  held = [];
  isHolding = false;
  const arrive = async (): Promise<void> => {
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
  };
  at = await openTestPlay(delayCommits(database, arrive));
});
afterEach(async () => {
  await at.close();
  expect(await findBroken(database)).toBeNull();
});
afterAll(() => database.close());

/**
 * Runs `meanwhile` once the game is committed and before its server receives the acknowledgement.
 */
async function whileUnanswered<Answer>(
  begin: () => Promise<Answer>,
  player: PlayerView,
  meanwhile: (gameId: GameId) => Promise<void>,
): Promise<Answer> {
  isHolding = true;
  const answer = begin();
  while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  isHolding = false;
  const openGame = await at.games.loadOpenGame(idOf(player));
  await meanwhile(openGame!.gameId);
  for (const letThrough of held.splice(0)) letThrough();
  return await answer;
}

test("lets a player join a game before its creation is acknowledged", async () => {
  const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
  const watcher = makeWatcher(black);
  const created = await whileUnanswered(
    () => createGame(at, white),
    white,
    async (gameId) => {
      expect(await at.matches.join(black, gameId, newId())).toMatchObject({ type: "done", status: "active" });
      await at.games.watch(watcher, gameId, 0);
    },
  );
  const gameId = gameOf(created);
  expect(created).toMatchObject({ status: "active" });
  expect(at.playerFrames.findLast(({ frame }) => frame.type === "open_game")).toMatchObject({
    frame: { openGame: { gameId, status: "active" } },
  });
  expect(at.lobbyChanges.findLast(({ type }) => type === "match")).toMatchObject({ match: { status: "active" } });
  const creator = makeWatcher(white);
  await at.games.watch(creator, gameId, 0);
  expect(await move(at, white, gameId, 2, [C3!, D4!])).toMatchObject({ type: "done", version: 3 });
  for (const { frames } of [watcher, creator]) expect(frames.at(-1)).toMatchObject({ type: "record" });
  await at.games.cancel(idOf(white), gameId, newId());
});

test("sends everything to a watcher of a rematch before its start is acknowledged", async () => {
  const game = await startGame(database, at);
  const { white, black } = game;
  await playOpening(at, game);
  await resignGame(at, game);
  const offered = await at.games.offer("offer_rematch", idOf(black), game.gameId, newId());
  const watcher = makeWatcher(black);
  let rematch: GameId | null = null;
  await whileUnanswered(
    () =>
      at.games.answerOffer({
        type: "answer_rematch",
        player: idOf(white),
        commandId: newId(),
        gameId: game.gameId,
        offer: offered.type === "done" ? offered.version : 0,
        answer: "accept",
      }),
    white,
    async (gameId) => {
      rematch = gameId;
      await at.games.watch(watcher, gameId, 0);
    },
  );
  await waitUntilIdle(database);
  expect(await move(at, black, rematch!, 2, [C3!, D4!])).toMatchObject({ type: "done", version: 3 });
  expect(watcher.frames.at(-1)).toMatchObject({ type: "record", record: { version: 3 } });
  await at.games.cancel(idOf(white), rematch!, newId());
});
