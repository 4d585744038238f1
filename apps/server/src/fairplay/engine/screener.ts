import path from "node:path";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { openSideProcess, type SideProcess } from "../../platform/side-process/side-process.ts";
import { startRepeatedTask } from "../../platform/time/repeated-task.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { FinalScoreRequest } from "./engine-process.ts";
import { claimUnscreened, countUnscreened, type DueGame, saveFinalScores } from "./screening-store.ts";

/** Screens ended staked games with the engine, in a process of lower priority. */
export interface Screener {
  /** Screens for a short while, and not at all while the server is busy. */
  runSlice(): Promise<void>;
  /** Screens all that is due, also while the server is busy. */
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
  /** Tests count and break its answers. */
  readonly engine?: Pick<SideProcess<FinalScoreRequest, number>, "ask">;
  /** False: only `runSlice` and `runDue` screen. */
  readonly isPolling?: boolean;
}

/** Half of the time, so at most half a core. */
const SLICE_MS = SECOND_MS;
const PAUSE_MS = SECOND_MS;
const GAMES_AT_ONCE = 16;
/** Longer than a batch takes. What another process left is taken over afterwards. */
const CLAIM_MS = 60 * SECOND_MS;

/** Beside this file, also in the bundle of a release. */
const PROGRAM = new URL(`engine-process${path.extname(import.meta.url)}`, import.meta.url);
export const engineProcess = openSideProcess<FinalScoreRequest, number>(PROGRAM, { name: "the screening of games" });

export function openScreener(deps: ScreenerDeps): Screener {
  const { database, time, log, metrics, stalls, engine = engineProcess, isPolling = true } = deps;
  const screened = metrics.counter("holo_screened_games_total", "Ended staked games whose last position was screened");
  const waiting = metrics.gauge("holo_screenings_waiting", "Ended staked games that wait for their screening");
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let lateMs = stalls.lateMs();

  /** Whether the event loop has kept everyone waiting since the last call. */
  function isBusy(): boolean {
    const before = lateMs;
    lateMs = stalls.lateMs();
    return lateMs > before;
  }

  /** Returns whether there may be more to screen. */
  async function screenBatch(): Promise<boolean> {
    const now = time.now();
    const due = await claimUnscreened(database.kysely, now, addMs(now, CLAIM_MS), GAMES_AT_ONCE);
    if (due.length === 0) return false;
    const found = await Promise.allSettled(due.map(score));
    const scores = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await saveFinalScores(database.kysely, scores, time.now());
    screened.inc(scores.length);
    const failed = found.find((one) => one.status === "rejected");
    if (failed === undefined) return true;
    const games = due.filter((_, index) => found[index]!.status === "rejected").map(({ gameId }) => gameId);
    log.error({ err: failed.reason, games }, "games could not be screened; they are tried again when their claim ends");
    return false;
  }

  async function score({ gameId, game, board, loser }: DueGame) {
    const finalScore = loser === null ? null : await engine.ask({ type: "final_score", game, board, seat: loser });
    return { gameId, finalScore, isSampled: false };
  }

  async function screen(mayGoOn: () => boolean): Promise<void> {
    while (!isClosed && mayGoOn() && (await screenBatch()));
    waiting.set(await countUnscreened(database.kysely));
  }

  /** One at a time, and `close` waits for the last. */
  function run(mayGoOn: () => boolean): Promise<void> {
    const turn = running.then(() => screen(mayGoOn));
    running = turn.catch(() => undefined);
    return turn;
  }

  async function runSlice(): Promise<void> {
    const untilMs = time.monotonicMs() + SLICE_MS;
    await run(() => !isBusy() && time.monotonicMs() < untilMs);
  }

  const failure = "games could not be screened";
  const stop = isPolling ? startRepeatedTask({ ...deps, everyMs: PAUSE_MS, failure, run: runSlice }) : () => undefined;

  return {
    runSlice,
    runDue: () => run(() => true),
    async close() {
      isClosed = true;
      stop();
      await running;
    },
  };
}
