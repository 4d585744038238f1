import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPlayForEach } from "../../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame, startGame, type TestGame } from "../../game/testing/test-game.ts";
import { addPlayer, gameOf, idOf, loadEndReason, move, newId, type TestPlay } from "../../game/testing/test-play.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Metrics, openMetrics } from "../../platform/metrics/metrics.ts";
import { openSideProcess } from "../../platform/side-process/side-process.ts";
import type { EngineAnswer, EngineRequest } from "./engine-process.ts";
import { openScreener, type Screener, type ScreenerDeps } from "./screener.ts";
import { loadScreenings, wantMoves } from "./screening.ts";
import { loadEquals } from "./screening-store.ts";

/** One of its own: another file may have left that of the module at its lowest priority. */
const engineProcess = openSideProcess<EngineRequest, EngineAnswer>(new URL("engine-process.ts", import.meta.url), {
  name: "the screening of games",
});

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

interface Opened {
  readonly engine?: Required<ScreenerDeps>["engine"];
  readonly chessEngine?: string | null;
  readonly metrics?: Metrics;
}

function open(given: Opened = {}): Screener {
  const { engine = engineProcess, chessEngine = null, metrics = openMetrics({ process: false }) } = given;
  const wheel = { schedule: () => () => undefined };
  const stalls = { lateMs: () => lateMs };
  const { time } = at;
  return openScreener({
    database,
    time,
    wheel,
    log: database.log,
    metrics,
    stalls,
    engine,
    chessEngine,
    isPolling: false,
  });
}

beforeEach(async () => {
  metrics = openMetrics({ process: false });
  screener = open({ metrics });
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

/** Fool's mate. */
async function playMate(): Promise<GameId> {
  const { white, black, gameId } = await startGame(database, at, "chess");
  const [F2, F3, E7, E5, G2, G4, D8, H4] = [53, 45, 12, 28, 54, 38, 3, 39];
  const plies = [
    [F2, F3],
    [E7, E5],
    [G2, G4],
    [D8, H4],
  ] as const;
  for (const [ply, path] of plies.entries()) {
    at.time.advance(1_000);
    await move(at, ply % 2 === 0 ? white : black, gameId, ply + 2, path);
  }
  expect(await loadEndReason(database, gameId)).toBe("checkmate");
  return gameId;
}

test("gives no score for games that the rules or both players ended", async () => {
  const mated = await playMate();
  const { white, black, gameId: drawn } = await play();
  for (const player of [white, black]) await at.games.offer("offer_draw", idOf(player), drawn, newId());
  expect(await loadEndReason(database, drawn)).toBe("agreement");
  await screener.runDue();
  for (const gameId of [mated, drawn]) expect(await load(gameId)).toMatchObject({ finalScore: null, version: 1 });
});

test("judges the moves of games for which someone asks", async () => {
  const gameId = await playMate();
  await wantMoves(database.kysely, [gameId]);
  await screener.runDue();
  const { white, black, evaluation } = (await load(gameId))!;
  expect(white).toMatchObject({ moves: 2, errors: 1, medianMs: 1_000 });
  expect(black).toMatchObject({ moves: 2, errors: 0 });
  expect(evaluation).toMatchObject({ engine: "Holo Arena" });
  expect(evaluation!.scores).toHaveLength(5);
});

test("judges chess with its own engine if the chess engine fails, which it then asks no more", async () => {
  const played = [await playMate(), await playMate()];
  const asked: unknown[] = [];
  const engine: Opened["engine"] = {
    ask(request) {
      if (request.type === "moves") asked.push(request.chessEngine);
      return engineProcess.ask(request);
    },
  };
  const failing = open({ engine, chessEngine: "/none/such" });
  await wantMoves(database.kysely, played);
  await failing.runDue();
  await failing.close();
  for (const gameId of played) expect((await load(gameId))!.evaluation!.engine).toBe("Holo Arena");
  expect(asked).toEqual(["/none/such", null]);
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

test("screens each game once where several servers do it at once", async () => {
  const played: GameId[] = [];
  for (let game = 0; game < 5; game += 1) played.push(await playResigned());
  let asked = 0;
  const counted: typeof engineProcess = {
    ...engineProcess,
    ask(request) {
      if (request.type === "final_score") asked += 1;
      return engineProcess.ask(request);
    },
  };
  const servers = [1, 2, 3].map(() => open({ engine: counted }));
  await Promise.all(servers.map(({ runDue }) => runDue()));
  for (const server of servers) await server.close();
  expect(asked).toBe(played.length);
  expect((await loadScreenings(database.kysely, played)).size).toBe(played.length);
});

test("screens again what an ended side process left, once its claim has ended", async () => {
  await playResigned();
  await screener.runDue();
  const gameId = await playResigned();
  const engine: Opened["engine"] = {
    ask(request) {
      // Before it could answer, however busy this machine is.
      process.kill(engineProcess.pid()!, "SIGKILL");
      return engineProcess.ask(request);
    },
  };
  const killed = open({ engine });
  await killed.runDue();
  await killed.close();
  await screener.runDue();
  expect(await load(gameId)).toBeNull();
  at.time.advance(300 * SECOND_MS);
  await screener.runDue();
  expect(await load(gameId)).not.toBeNull();
});

test("knows what equals find, from sampled games only", async () => {
  const side = (rating: number, realFirst: number, firstChoices = 10) => {
    return { rating, realFirst, realChoices: 30, firstChoices, choices: 20, medianMs: 4_000, spreadMs: 3_000 };
  };
  const gameId = await playMate();
  await screener.runDue();
  const found = await database.kysely.startTransaction().execute();
  const add = async (count: number, wanted: string, white: unknown, black: unknown) => {
    await sql`
      with copied as (select jsonb_set(to_jsonb(game), '{id}', to_jsonb(gen_random_uuid())) as row
        from games game, generate_series(1, ${count}) where game.id = ${gameId})
      insert into games select copy.* from copied, jsonb_populate_record(null::games, copied.row) copy`.execute(found);
    await sql`
      update game_screenings set moves_wanted = ${wanted}, white = ${JSON.stringify(white)}::jsonb,
        black = ${JSON.stringify(black)}::jsonb, evaluation = '{}', at = 1, version = 1 where at is null`.execute(
      found,
    );
  };
  try {
    await add(15, "sampled", side(1_500, 15, 8), side(1_790, 15, 12));
    await add(5, "asked", side(1_500, 30, 20), side(1_500, 30, 20));
    const even = { ...side(1_500, 30, 20), spreadMs: 1_000 };
    await add(20, "sampled", even, even);
    await add(20, "sampled", side(1_290, 30, 20), side(1_810, 30, 20));
    expect(await loadEquals(found, "chess", 1_500)).toEqual({
      realRate: 0.5,
      shares: { games: 30, mean: expect.closeTo(0.5), deviation: expect.closeTo(0.1, 2) },
    });
    expect(await loadEquals(found, "chess", 2_100)).toEqual({ realRate: null, shares: null });
  } finally {
    // Copies of games were never settled.
    await found.rollback().execute();
  }
});

test("closes while the engine is at work, and another server takes the game over", async () => {
  const gameId = await playResigned();
  await screener.close();
  const asked = Promise.withResolvers<void>();
  const stuck = open({
    engine: {
      ask: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    },
  });
  const running = stuck.runDue();
  await asked.promise;
  await stuck.close();
  await running;
  expect(await load(gameId)).toBeNull();
  at.time.advance(300 * SECOND_MS);
  screener = open();
  await screener.runDue();
  expect(await load(gameId)).not.toBeNull();
});

test("pauses while the server is busy, but for one game", async () => {
  const played = [await playResigned(), await playResigned(), await playResigned()];
  const count = async () => (await loadScreenings(database.kysely, played)).size;
  // At its lowest priority the process would wait for other tests.
  const engine: Opened["engine"] = { ask: (request) => engineProcess.ask({ ...request, isSlow: false }) };
  await screener.close();
  metrics = openMetrics({ process: false });
  screener = open({ engine, metrics });
  lateMs += 60;
  await screener.runIdle();
  expect(await count()).toBe(1);
  expect(await metrics.readValue("holo_screening_age_seconds")).toBeGreaterThan(0);
  await screener.runIdle();
  expect(await count()).toBe(3);
  expect(await metrics.readValue("holo_screening_age_seconds")).toBe(0);
});
