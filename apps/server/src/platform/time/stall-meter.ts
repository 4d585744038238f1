import { clearInterval, cpuMs, performance, setImmediate, setInterval } from "../runtime.ts";

/** Measures how long the event loop kept everyone waiting, and which part no client can cause. */
export interface StallMeter {
  /** Time in which nothing was read: neither a frame nor an answer of the database. */
  lateMs(): number;
  /** The part of it in which the process was stopped: time that players are not charged for. */
  stalledMs(): number;
  stop(): void;
}

interface StallMeterOptions {
  /** Called once for each stall of at least `LONG_STALL_MS`, after the frames that waited. */
  readonly onLongStall?: (stallMs: number) => void;
  readonly monotonicMs?: () => number;
  /** The processor time of all threads. */
  readonly usedMs?: () => number;
}

const BEAT_MS = 50;
/** Smaller delays are ordinary timer jitter and garbage collection. */
const TOLERATED_MS = 50;
/**
 * A stopped process uses no processor time; one that is busy with its clients uses more than this
 * share, also where PostgreSQL and others compete for the core.
 */
const BUSY_SHARE_MIN = 0.1;
/** Clocks are corrected immediately after a stall of this length, otherwise with the next move. */
const LONG_STALL_MS = 3_000;

/**
 * A late timer shows that the event loop waited. Each reading includes the current lateness: after
 * a stall the event loop may handle waiting frames before timers.
 */
export function openStallMeter({
  onLongStall = () => undefined,
  monotonicMs = () => performance.now(),
  usedMs = cpuMs,
}: StallMeterOptions = {}): StallMeter {
  let lateMs = 0;
  let stalledMs = 0;
  let expectedAtMs = 0;
  let usedBeforeMs = 0;

  function expectNext(nowMs: number): void {
    expectedAtMs = nowMs + BEAT_MS;
    usedBeforeMs = usedMs();
  }

  function catchUp(nowMs: number): void {
    const ms = nowMs - expectedAtMs;
    if (ms <= TOLERATED_MS) return;
    lateMs += ms;
    const isBusy = usedMs() - usedBeforeMs > ms * BUSY_SHARE_MIN;
    expectNext(nowMs);
    if (isBusy) return;
    stalledMs += ms;
    if (ms >= LONG_STALL_MS) setImmediate(() => onLongStall(ms));
  }

  expectNext(monotonicMs());
  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    catchUp(nowMs);
    expectNext(nowMs);
  }, BEAT_MS);
  timer.unref();

  return {
    lateMs() {
      catchUp(monotonicMs());
      return Math.round(lateMs);
    },
    stalledMs() {
      catchUp(monotonicMs());
      return Math.round(stalledMs);
    },
    stop: () => clearInterval(timer),
  };
}
