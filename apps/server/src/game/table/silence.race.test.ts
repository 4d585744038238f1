import { wholeCoins } from "@holo/kernel/money.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { holdTimeouts, openSilentNetwork, type SilentNetwork } from "../../platform/testing/silent-network.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { loadOpenGame } from "../log/seat-store.ts";
import { C3, createGame, D4, playOpening, startGame } from "../testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  findBroken,
  gameOf,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  type TestPlay,
  waitUntilIdle,
} from "../testing/test-play.ts";

/**
 * The network to the database drops everything silently. A query may have been carried out, and no
 * player waits forever.
 */
const ANSWER_MS_MAX = 15_000;

let timeouts: ReturnType<typeof holdTimeouts>;
let direct: Database;
let network: SilentNetwork;
let database: Database;
let at: TestPlay;

beforeEach(async () => {
  timeouts = holdTimeouts();
  direct = await createTestDatabase(RACE_CONNECTIONS);
  network = await openSilentNetwork(direct.connectionString);
  const { connectionString } = network;
  database = openDatabase({ connectionString, log: openTestLog(), responseTimeoutMs: ANSWER_MS_MAX });
  at = await openTestPlay(database);
});

afterEach(async () => {
  await at.close();
  await database.close();
  await network.close();
  expect(await findBroken(direct)).toBeNull();
  await direct.close();
});

/** Gives up what met the silence. The next attempt meets a working network. */
async function endSilence(): Promise<void> {
  await network.untilLost();
  timeouts.passAll(ANSWER_MS_MAX);
  network.speak();
}

/**
 * The answer to a command whose database connection falls silent at this text, until the network is
 * back.
 */
async function sendIntoSilence<Answer>(asked: string, command: () => Promise<Answer>): Promise<Answer> {
  network.fallSilentAt(asked);
  const answer = command();
  await endSilence();
  return await answer;
}

test("plays a move once whose commit is not answered, and acknowledges it later", async () => {
  const { white, black, gameId } = await startGame(direct, at);
  const watcher = makeWatcher(black);
  await at.games.watch(watcher, gameId, 0);
  const moved = await sendIntoSilence("commit_moves", () => move(at, white, gameId, 2, [C3!, D4!]));
  expect(moved).toMatchObject({ type: "done", version: 3, isRepeat: false });
  expect(watcher.frames.filter(({ type }) => type === "record")).toHaveLength(1);
});

test("ends a game once whose commit is not answered, pays once and notifies both", async () => {
  const game = await startGame(direct, at);
  const { white, black, gameId } = game;
  await playOpening(at, game);
  const watcher = makeWatcher(black);
  await at.games.watch(watcher, gameId, 0);
  const resigned = await sendIntoSilence("lifecycle_commit", () => at.games.resign(white.id, gameId, newId()));
  expect(resigned).toMatchObject({ type: "done", status: "ended" });
  await waitUntilIdle(direct);
  expect(watcher.frames.at(-1)).toMatchObject({ type: "table", version: 7 });
  expect(await balanceOf(direct, black)).toBe(wholeCoins(500) + 55_560_000n);
  expect(
    at.playerFrames.findLast(({ playerId, frame }) => playerId === black.id && frame.type === "wallet"),
  ).toMatchObject({
    frame: { balance: "555560000" },
  });
});

test("seats a seeker once whose commit is not answered, without blocking the next", async () => {
  const [first, second] = [await addPlayer(direct, at), await addPlayer(direct, at)];
  const created = await sendIntoSilence("lifecycle_commit", () => createGame(at, first));
  expect(created).toMatchObject({ type: "done", status: "waiting" });
  expect(await balanceOf(direct, first)).toBe(wholeCoins(500) - 64_440_000n);
  expect(await createGame(at, second)).toMatchObject({ type: "done", status: "active", gameId: gameOf(created) });
});

test("sweeps again after a silence", async () => {
  const player = await addPlayer(direct, at);
  const elsewhere = await openTestPlay(direct, at.time.now());
  await createGame(elsewhere, player);
  await elsewhere.close();
  network.fallSilent();
  at.time.advance(5_050);
  at.tick();
  await endSilence();
  at.time.advance(30 * 60_000);
  // A sweep on a connection that is still silent ends after a timeout.
  const sweep = async () => {
    at.time.advance(5_050);
    at.tick();
    await waitUntilIdle(direct);
    return await loadOpenGame(direct.kysely, player.id);
  };
  await expect.poll(sweep).toBeNull();
  expect(await balanceOf(direct, player)).toBe(wholeCoins(500));
});
