/** Measures how long the event loop was blocked: time that players are not charged for. */
export interface StallMeter {
  /** Milliseconds since the start of the process. */
  stalledMs(): number;
  stop(): void;
}

const BEAT_MS = 50;
/** Smaller delays are ordinary timer jitter and garbage collection. */
const TOLERATED_MS = 50;

/**
 * Uses a timer every 50 ms. Timers run before sockets are read, so that a stall is known before the
 * frames that waited through it are processed.
 */
export function openStallMeter(): StallMeter {
  let stalledMs = 0;
  let expectedAtMs = performance.now() + BEAT_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateMs = nowMs - expectedAtMs;
    if (lateMs > TOLERATED_MS) stalledMs += lateMs;
    expectedAtMs = nowMs + BEAT_MS;
  }, BEAT_MS);
  timer.unref();
  return { stalledMs: () => Math.round(stalledMs), stop: () => clearInterval(timer) };
}
