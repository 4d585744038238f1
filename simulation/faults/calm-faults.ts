import { setTimeout as sleep } from "node:timers/promises";
import { toTableTime } from "../judge/evidence.ts";
import type { Mood, Robot } from "../robot.ts";
import { advanceTables } from "./advance-tables.ts";
import { type FaultTargets, signal } from "./targets.ts";

/** Longer than any clock and any wait. */
const PASSING_MS = 40 * 60_000;
/** Longer than a silence that is no outage, and than the delivery to clients. */
const FREEZE_MS = 6_000;
/** Longer than the server waits for an answer to a statement. */
const SILENCE_MS = 17_000;
/** What was on its way to the database has arrived. */
const CALM_MS = 400;
const FLAGGED_MS_MAX = 4_000;
const OFFER_MS = 800;
const CALMED_MS_MAX = 12_000;
const POLL_MS = 20;

async function freezeDatabase({ installation, record }: FaultTargets, lastsMs: number): Promise<void> {
  const pids = installation.findDatabaseProcesses();
  for (const pid of pids) signal(pid, "SIGSTOP");
  const fromMs = Date.now();
  await sleep(lastsMs);
  record.frozen.push({ fromMs, toMs: Date.now() });
  for (const pid of pids) signal(pid, "SIGCONT");
}

/** From then on no player moves. Returns the one with the least time on a running clock, if any. */
async function calmDown({ robots, record }: FaultTargets): Promise<Robot | null> {
  const findMover = (): Robot | null => {
    const now = toTableTime(Date.now(), record.jumps);
    const readLeftMs = (robot: Robot): number => robot.clockLeftMs(now) ?? Number.POSITIVE_INFINITY;
    const [mover] = robots.toSorted((a, b) => readLeftMs(a) - readLeftMs(b));
    return mover !== undefined && readLeftMs(mover) < Number.POSITIVE_INFINITY ? mover : null;
  };
  for (const endMs = performance.now() + CALMED_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
    if (findMover() === null) continue;
    setMoods(robots, "silent");
    await sleep(OFFER_MS);
    const mover = findMover();
    if (mover !== null) return mover;
    setMoods(robots, "lively");
  }
  return null;
}

/** Nothing is on its way to the database when it stops, so that all that comes then must wait. */
export async function freezeCalmDatabase(targets: FaultTargets): Promise<void> {
  setMoods(targets.robots, "silent");
  await sleep(CALM_MS);
  const freezing = freezeDatabase(targets, FREEZE_MS);
  await sleep(CALM_MS);
  setMoods(targets.robots, "lively");
  await freezing;
}

/** Settlements are on their way to the database when it stops; it commits them unasked later. */
export async function silenceDatabase(targets: FaultTargets): Promise<void> {
  setMoods(targets.robots, "silent");
  await sleep(CALM_MS);
  const freezing = freezeDatabase(targets, SILENCE_MS);
  setMoods(targets.robots, "resigning");
  await freezing;
  setMoods(targets.robots, "lively");
}

function setMoods(robots: readonly Robot[], mood: Mood): void {
  for (const robot of robots) robot.setMood(mood);
}

/** Every clock expires. The next record of a table sets its timer, which does not follow a jump. */
export async function passTime(targets: FaultTargets): Promise<void> {
  await calmDown(targets);
  await advanceTables(targets, PASSING_MS);
  setMoods(targets.robots, "asking");
  const isRunning = (robot: Robot): boolean =>
    robot.clockLeftMs(toTableTime(Date.now(), targets.record.jumps)) !== null;
  // The others expire with the next move.
  for (const endMs = performance.now() + FLAGGED_MS_MAX; performance.now() < endMs; await sleep(POLL_MS))
    if (!targets.robots.some(isRunning)) break;
  setMoods(targets.robots, "lively");
}
