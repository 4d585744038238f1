import { setTimeout as sleep } from "node:timers/promises";
import { toTableTime } from "../judge/evidence.ts";
import type { Mood, Robot } from "../robot.ts";
import { advanceTables } from "./advance-tables.ts";
import { restart } from "./restart.ts";
import { type FaultTargets, signal } from "./targets.ts";

/** Longer than any clock and any wait. */
const PASSING_MS = 40 * 60_000;
/** Longer than a silence that is no outage, and than the delivery to clients. */
const FREEZE_MS = 6_000;
/** Longer than the server waits for an answer to a statement. */
const SILENCE_MS = 17_000;
/** What was on its way to the database has arrived. */
const CALM_MS = 400;
/** On the clock when the database stops: together with a heartbeat less than an outage. */
const LEFT_MS = 1_300;
/** On the clock before an offer sets the table's timer again. */
const LEFT_BEFORE_MS = 5_000;
const ATTEMPTS_MAX = 8;
const FLAGGED_MS = 3_000;
const FLAGGED_MS_MAX = 4_000;
const OFFER_MS = 800;
const CALMED_MS_MAX = 12_000;
/** With a heartbeat more than a minute (ruling 16). */
const DOWN_MS = 62_000;
/** The players whose network works have returned. */
const RETURNED_MS = 5_000;
/** Longer than the others may take. */
const LATE_MS = 11 * 60_000;
/** Games without a present player end with a sweep, which comes every five seconds. */
const SWEPT_MS = 8_000;
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

/** The clock of one turn approaches its end, and the database stops. */
export async function stopAtFlag(targets: FaultTargets): Promise<void> {
  const { robots, record } = targets;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const mover = await calmDown(targets);
    if (mover === null) break;
    const readLeftMs = (): number | null => mover.clockLeftMs(toTableTime(Date.now(), record.jumps));
    const version = mover.tableVersion();
    await advanceTables(targets, Math.max(0, (readLeftMs() ?? 0) - LEFT_BEFORE_MS));
    setMoods(robots, "asking");
    while ((readLeftMs() ?? 0) > LEFT_MS) await sleep(POLL_MS);
    // Without a record since then no timer follows the jump.
    const isTimerSet = mover.tableVersion() > version && readLeftMs() !== null;
    if (isTimerSet) await freezeDatabase(targets, FREEZE_MS);
    setMoods(robots, "lively");
    if (isTimerSet) return;
    await sleep(FLAGGED_MS);
  }
  setMoods(robots, "lively");
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

/** Tables await their players, and for some of them too long (ruling 31). */
export async function outlastReturn(targets: FaultTargets): Promise<void> {
  const { installation, networks, robots } = targets;
  const late = networks.filter(({ recording: { account } }) => account !== null && account.id < "5");
  setMoods(robots, "silent");
  for (const network of late) network.cut("up");
  await restart(targets, [...installation.servers.keys()], "kill", DOWN_MS);
  await sleep(RETURNED_MS);
  await advanceTables(targets, LATE_MS);
  setMoods(robots, "asking");
  await sleep(SWEPT_MS);
  for (const network of late) network.heal();
  setMoods(robots, "lively");
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
