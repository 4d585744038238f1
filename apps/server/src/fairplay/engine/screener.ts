import path from "node:path";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { loadLog } from "../../game/game.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { openSideProcess, type SideProcess } from "../../platform/side-process/side-process.ts";
import { startRepeatedTask } from "../../platform/time/repeated-task.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { EngineAnswer, EngineRequest } from "./engine-process.ts";
import {
  claimUnscreened,
  claimWanted,
  type DueGame,
  type FinalScore,
  findOldestUnscreened,
  hasSampled,
  saveFinalScores,
  saveMoves,
} from "./screening-store.ts";

/** Screens ended staked games with the engine, in a process of lower priority. */
export interface Screener {
  /** Screens what is due with half a core at most; while the server is busy, only one game. */
  runIdle(): Promise<void>;
  /** Screens what is due as fast as possible. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

export interface ScreenerDeps {
  readonly database: Database;
  readonly time: Pick<Time, "now" | "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly stalls: Pick<StallMeter, "lateMs">;
  /** A program that speaks UCI and judges the moves of chess; null: our own engine does. */
  readonly chessEngine: string | null;
  /** Tests count and break its answers. */
  readonly engine?: Pick<SideProcess<EngineRequest, EngineAnswer>, "ask">;
  /** False: only `runIdle` and `runDue` screen. */
  readonly isPolling?: boolean;
  /** False: only last positions are scored. A simulation of weeks has no time for moves. */
  readonly judgesMoves?: boolean;
}

const PAUSE_MS = SECOND_MS;
const GAMES_AT_ONCE = 16;
/** Longer than a game's moves take. What another process left is taken over afterwards. */
const CLAIM_MS = 5 * MINUTE_MS;
/** Won games whose moves are judged without being asked for: the first ones, then some. */
const SAMPLED = { first: 200, every: 8 };

/** Beside this file, also in the bundle of a release. */
const PROGRAM = new URL(`engine-process${path.extname(import.meta.url)}`, import.meta.url);
const engineProcess = openSideProcess<EngineRequest, EngineAnswer>(PROGRAM, { name: "the screening of games" });

export function openScreener(deps: ScreenerDeps): Screener {
  const { database, time, log, metrics, stalls, engine = engineProcess, isPolling = true, judgesMoves = true } = deps;
  const { kysely } = database;
  const screened = metrics.counter("holo_screened_games_total", "Ended staked games whose last position was screened");
  const judged = metrics.counter("holo_judged_games_total", "Ended staked games whose moves were judged");
  const age = metrics.gauge("holo_screening_age_seconds", "How long the oldest ended game has waited to be screened");
  let chessEngine = deps.chessEngine;
  let isClosed = false;
  const closed = Promise.withResolvers<null>();
  let running: Promise<void> = Promise.resolve();
  let lateMs = stalls.lateMs();

  /** Whether the event loop has kept everyone waiting since the last call. */
  function isBusy(): boolean {
    const before = lateMs;
    lateMs = stalls.lateMs();
    return lateMs > before;
  }

  /** Returns whether there may be more to screen. */
  async function screenNext(isSlow: boolean): Promise<boolean> {
    if (!judgesMoves) return await scoreNext(isSlow);
    return (await judgeNext("asked", isSlow)) || (await scoreNext(isSlow)) || (await judgeNext("sampled", isSlow));
  }

  let knowsPlayers = false;
  async function isSampled({ gameId, isWon }: DueGame): Promise<boolean> {
    knowsPlayers ||= await hasSampled(kysely, SAMPLED.first);
    // By the id, which is random: the same games on every server.
    return isWon && (!knowsPlayers || Number.parseInt(gameId.slice(-4), 16) % SAMPLED.every === 0);
  }

  async function scoreNext(isSlow: boolean, count = GAMES_AT_ONCE): Promise<boolean> {
    const now = time.now();
    const due = await claimUnscreened(kysely, now, addMs(now, CLAIM_MS), count);
    const scores: FinalScore[] = [];
    for (const game of due) {
      // One after the other, so that the process can rest.
      const finalScore = await score(game, isSlow);
      if (finalScore !== undefined) scores.push({ gameId: game.gameId, finalScore, isSampled: await isSampled(game) });
    }
    if (scores.length > 0) await saveFinalScores(kysely, scores, time.now());
    screened.inc(scores.length);
    return scores.length > 0;
  }

  /** Undefined if the process ended meanwhile. */
  async function score({ gameId, game, board, loser: seat }: DueGame, isSlow: boolean) {
    if (seat === null) return null;
    const answer = await ask(gameId, { type: "final_score", game, board, seat, isSlow });
    return answer?.type === "final_score" ? answer.score : undefined;
  }

  async function judgeNext(wanted: "asked" | "sampled", isSlow: boolean): Promise<boolean> {
    const now = time.now();
    const claimed = await claimWanted(kysely, wanted, now, addMs(now, CLAIM_MS));
    if (claimed === null) return false;
    const { gameId } = claimed;
    const log = (await loadLog(kysely, gameId, 0)).map(({ text }) => text);
    const answer = await ask(gameId, { type: "moves", ...claimed, log, chessEngine, isSlow });
    if (answer?.type !== "moves") return false;
    if (answer.fault !== null) noteFault(answer.fault);
    await saveMoves(kysely, gameId, answer.figures);
    judged.inc();
    return true;
  }

  async function ask(gameId: GameId, request: EngineRequest): Promise<EngineAnswer | null> {
    if (isClosed) return null;
    try {
      return await Promise.race([engine.ask(request), closed.promise]);
    } catch (err) {
      // The process has ended. Other games go on, and this one when its claim has ended.
      log.error({ err, gameId }, "a game could not be screened; it is tried again");
      return null;
    }
  }

  /** Not asked again before the next start, so that staff are told once. */
  function noteFault(fault: string): void {
    if (chessEngine === null) return;
    log.error({ alert: "chess_engine", file: chessEngine, fault }, "the chess engine failed: our own judges chess");
    chessEngine = null;
  }

  async function screenIdle(): Promise<void> {
    // A server that is always busy catches up all the same, at a cost that no move notices.
    if (isBusy()) await scoreNext(true, 1);
    else while (!isClosed && (await screenNext(true)) && !isBusy());
  }

  async function screenAll(): Promise<void> {
    while (!isClosed && (await screenNext(false)));
  }

  async function measureAge(): Promise<void> {
    const oldest = await findOldestUnscreened(kysely);
    age.set(oldest === null ? 0 : Math.max(0, time.now() - oldest) / SECOND_MS);
  }

  /** One at a time. `close` waits for writes, not for the engine: an unanswered claim ends. */
  function run(screen: () => Promise<void>): Promise<void> {
    const turn = running.then(screen).then(measureAge);
    running = turn.catch(() => undefined);
    return turn;
  }

  const runIdle = () => run(screenIdle);
  const failure = "games could not be screened";
  const stop = isPolling ? startRepeatedTask({ ...deps, everyMs: PAUSE_MS, failure, run: runIdle }) : () => undefined;

  return {
    runIdle,
    runDue: () => run(screenAll),
    async close() {
      isClosed = true;
      closed.resolve(null);
      stop();
      await running;
    },
  };
}
