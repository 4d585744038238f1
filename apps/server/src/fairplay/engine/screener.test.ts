import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPlayForEach } from "../../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame, startGame, type TestGame } from "../../game/testing/test-game.ts";
import { addPlayer, gameOf, idOf, loadEndReason, move, newId, type TestPlay } from "../../game/testing/test-play.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Metrics, openMetrics } from "../../platform/metrics/metrics.ts";
import { engineProcess, openScreener, type Screener, type ScreenerDeps } from "./screener.ts";
import { loadScreenings } from "./screening.ts";

let database: Database;
let at: TestPlay;
let screener: Screener;
let metrics: Metrics;
let lateMs = 0;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

function open(engine: Required<ScreenerDeps>["engine"] = engineProcess, metrics = openMetrics({ process: false })) {
  const wheel = { schedule: () => () => undefined };
  const stalls = { lateMs: () => lateMs };
  const { time } = at;
  return openScreener({ database, time, wheel, log: database.log, metrics, stalls, engine, isPolling: false });
}

beforeEach(async () => {
  metrics = openMetrics({ process: false });
  screener = open(engineProcess, metrics);
  await screener.runDue();
});
afterEach(() => screener.close());

const load = async (gameId: GameId) => (await loadScreenings(database.kysely, [gameId])).get(gameId) ?? null;
const scoreOf = async (gameId: GameId) => (await load(gameId))?.finalScore;

async function play(): Promise<TestGame> {
  const game = await startGame(database, at);
  await playOpening(at, game);
  return game;
}

async function playResigned(): Promise<GameId> {
  const game = await play();
  await resignGame(at, game);
  return game.gameId;
}

test("scores the last position of games that were resigned or lost on time", async () => {
  const resigned = await playResigned();
  const { gameId: flagged } = await play();
  await at.advance(301 * SECOND_MS);
  expect(await loadEndReason(database, flagged)).toBe("time");
  expect([await load(resigned), await load(flagged)]).toEqual([null, null]);
  await screener.runDue();
  for (const gameId of [resigned, flagged]) expect(Math.abs((await scoreOf(gameId))!)).toBeLessThan(60);
});

test("gives no score for games that the rules or both players ended", async () => {
  const mated = await startGame(database, at, "chess");
  const [F2, F3, E7, E5, G2, G4, D8, H4] = [53, 45, 12, 28, 54, 38, 3, 39];
  const plies = [
    [F2, F3],
    [E7, E5],
    [G2, G4],
    [D8, H4],
  ] as const;
  for (const [ply, path] of plies.entries())
    await move(at, ply % 2 === 0 ? mated.white : mated.black, mated.gameId, ply + 2, path);
  const drawn = await play();
  for (const player of [drawn.white, drawn.black])
    await at.games.offer("offer_draw", idOf(player), drawn.gameId, newId());
  const ends = [await loadEndReason(database, mated.gameId), await loadEndReason(database, drawn.gameId)];
  expect(ends).toEqual(["checkmate", "agreement"]);
  await screener.runDue();
  for (const { gameId } of [mated, drawn]) expect(await load(gameId)).toMatchObject({ finalScore: null, version: 1 });
});

test("never screens free games, nor those that were cancelled", async () => {
  const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
  const free = gameOf(await createGame(at, white, "checkers", 0));
  await at.matches.join(black, free, newId());
  await playOpening(at, { white, black, gameId: free });
  await resignGame(at, { white, black, gameId: free });
  const broken = await play();
  await at.games.cancelByStaff(broken.gameId, "The board froze", async () => null);
  await screener.runDue();
  expect([await load(free), await load(broken.gameId)]).toEqual([null, null]);
});

test("pauses while the server is busy", async () => {
  const gameId = await playResigned();
  lateMs += 60;
  await screener.runSlice();
  expect(await load(gameId)).toBeNull();
  expect(await metrics.readValue("holo_screenings_waiting")).toBe(1);
  await screener.runSlice();
  expect(await load(gameId)).not.toBeNull();
  expect(await metrics.readValue("holo_screenings_waiting")).toBe(0);
});

test("screens each game once where several servers do it at once", async () => {
  const played: GameId[] = [];
  for (let game = 0; game < 5; game += 1) played.push(await playResigned());
  let asked = 0;
  const counted: typeof engineProcess = {
    ...engineProcess,
    ask(request) {
      asked += 1;
      return engineProcess.ask(request);
    },
  };
  const servers = [open(counted), open(counted), open(counted)];
  await Promise.all(servers.map(({ runDue }) => runDue()));
  for (const server of servers) await server.close();
  expect(asked).toBe(played.length);
  expect((await loadScreenings(database.kysely, played)).size).toBe(played.length);
});

test("screens again what an ended side process left, once its claim has ended", async () => {
  const gameId = await playResigned();
  const killed = open({
    ask(request) {
      const answer = engineProcess.ask(request);
      process.kill(engineProcess.pid()!, "SIGKILL");
      return answer;
    },
  });
  await killed.runDue();
  await killed.close();
  await screener.runDue();
  expect(await load(gameId)).toBeNull();
  at.time.advance(60 * SECOND_MS);
  await screener.runDue();
  expect(await load(gameId)).not.toBeNull();
});
