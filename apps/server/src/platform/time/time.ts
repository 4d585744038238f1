import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { Database } from "../database/database.ts";
import { clearInterval, performance, setInterval, wallMs } from "../runtime.ts";

export interface Time {
  /** The database's time. Monotonic, without jumps. */
  now(): Instant;
  /** Fractional ms since an arbitrary start, for durations and timers within this process. */
  monotonicMs(): number;
}

export interface RunningTime extends Time {
  /** Stops following the database's clock; time goes on. */
  stop(): void;
}

/** The maximum correction: half a millisecond per second, as in NTP. */
const SLEW_RATE = 0.0005;
const SAMPLES = 5;
const COMPARE_EVERY_MS = 10_000;
export const SUSPICIOUS_DRIFT_MS = 1_000;
/** Records may be this much newer than the newest heartbeat. */
const HEARTBEAT_MS_MAX = 3_000;

interface Sample {
  /** The database's clock at our `monotonicMs`. */
  readonly databaseMs: number;
  readonly monotonicMs: number;
}

/**
 * Only this and heartbeats read a clock in SQL. Takes the best of five, because the shortest round
 * trip is the most precise.
 */
async function sample(database: Pick<Database, "pool">): Promise<Sample> {
  let best: Sample | undefined;
  let bestRoundTripMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < SAMPLES; i += 1) {
    const sentMs = performance.now();
    const { rows } = await database.pool.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
    );
    const receivedMs = performance.now();
    const answer = rows[0];
    if (answer === undefined || receivedMs - sentMs >= bestRoundTripMs) continue;
    bestRoundTripMs = receivedMs - sentMs;
    best = { databaseMs: answer.ms, monotonicMs: (sentMs + receivedMs) / 2 };
  }
  if (best === undefined) throw new Error("the database did not say what time it is");
  return best;
}

export async function loadClockOffsetMs(database: Pick<Database, "pool">): Promise<number> {
  const { databaseMs, monotonicMs } = await sample(database);
  return databaseMs - (wallMs() - (performance.now() - monotonicMs));
}

/** A clock that starts at `anchor` and follows later samples no faster than `SLEW_RATE`. */
export function makeSlewedClock(anchor: Sample): {
  nowMs(monotonicMs: number): number;
  follow(sample: Sample): number;
} {
  let base: Sample = anchor;
  let driftMs = 0;
  const nowMs = (monotonicMs: number): number => {
    const elapsedMs = monotonicMs - base.monotonicMs;
    const slewedMs = Math.min(Math.abs(driftMs), Math.max(0, elapsedMs) * SLEW_RATE);
    return base.databaseMs + elapsedMs + Math.sign(driftMs) * slewedMs;
  };
  return {
    nowMs,
    follow(next) {
      const ownMs = nowMs(next.monotonicMs);
      base = { databaseMs: ownMs, monotonicMs: next.monotonicMs };
      driftMs = next.databaseMs - ownMs;
      return driftMs;
    },
  };
}

interface StoredClocks {
  /** The newest stored heartbeat. */
  readonly seenAt?: Instant | null;
  /** How far the clock of servers that run is ahead of the database's; null if none runs. */
  readonly aheadMs?: number | null;
}

/** Instants of servers that run together, and those that are stored, must not contradict it. */
function toStart(first: Sample, { seenAt = null, aheadMs = null }: StoredClocks, log: Database["log"]): Sample {
  if (aheadMs !== null && Math.abs(aheadMs) > SUSPICIOUS_DRIFT_MS) {
    log.error({ aheadMs }, "the database's clock was set while servers ran; continuing with theirs");
    return { ...first, databaseMs: first.databaseMs + aheadMs };
  }
  if (seenAt === null || first.databaseMs >= seenAt || aheadMs !== null) return first;
  log.error({ seenAt }, "the database's clock is behind stored times; continuing from the latest one");
  return { ...first, databaseMs: seenAt + HEARTBEAT_MS_MAX };
}

/**
 * Starts at the clock of the servers that run, or else at the database's, and slews towards that.
 * If it was set back while none ran, starts after `seenAt`: stored instants are in the past.
 */
export async function openTime(database: Database, stored: StoredClocks = {}): Promise<RunningTime> {
  const clock = makeSlewedClock(toStart(await sample(database), stored, database.log));
  const compare = async (): Promise<void> => {
    try {
      const driftMs = clock.follow(await sample(database));
      if (Math.abs(driftMs) > SUSPICIOUS_DRIFT_MS) {
        database.log.warn({ driftMs }, "the database's clock jumped; this server's clock adjusts gradually");
      }
    } catch (err) {
      // The clock works without the database; other queries will report the failure.
      database.log.debug({ err }, "could not compare clocks");
    }
  };
  const timer = setInterval(compare, COMPARE_EVERY_MS);
  timer.unref();
  return {
    now: () => toInstant(Math.floor(clock.nowMs(performance.now()))),
    monotonicMs: () => performance.now(),
    stop: () => clearInterval(timer),
  };
}
