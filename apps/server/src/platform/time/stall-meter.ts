import { clearInterval, performance, setImmediate, setInterval } from "../runtime.ts";

/** Measures how long the process did not run: time that players are not charged for. */
export interface StallMeter {
  stalledMs(): number;
  stop(): void;
}

interface StallMeterOptions {
  /** Called once for each stall of at least `LONG_STALL_MS`, after the frames that waited. */
  readonly onLongStall?: (stallMs: number) => void;
  readonly monotonicMs?: () => number;
}

const BEAT_MS = 50;
/** Smaller delays are ordinary timer jitter and garbage collection. */
const TOLERATED_MS = 50;
/** Clocks are corrected immediately after a stall of this length, otherwise with the next move. */
const LONG_STALL_MS = 3_000;

/**
 * A late timer shows a stall. Each reading includes the current lateness: after a stall the event
 * loop may handle waiting frames before timers.
 */
export function openStallMeter({
  onLongStall = () => undefined,
  monotonicMs = () => performance.now(),
}: StallMeterOptions = {}): StallMeter {
  let stalledMs = 0;
  let expectedAtMs = monotonicMs() + BEAT_MS;

  function catchUp(nowMs: number): void {
    const lateMs = nowMs - expectedAtMs;
    if (lateMs <= TOLERATED_MS) return;
    stalledMs += lateMs;
    expectedAtMs = nowMs + BEAT_MS;
    if (lateMs >= LONG_STALL_MS) setImmediate(() => onLongStall(lateMs));
  }

  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    catchUp(nowMs);
    expectedAtMs = nowMs + BEAT_MS;
  }, BEAT_MS);
  timer.unref();

  return {
    stalledMs() {
      catchUp(monotonicMs());
      return Math.round(stalledMs);
    },
    stop: () => clearInterval(timer),
  };
}
