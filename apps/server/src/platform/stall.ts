/** Time that this process lost because its event loop stood still: ours, never a player's. */
export interface StallMeter {
  /** Milliseconds lost since the process began; only grows. */
  stalledMs(): number;
  stop(): void;
}

const BEAT_MS = 50;
/** A later beat than this is a stall; less is the ordinary unevenness of timers and of collecting garbage. */
const TOLERATED_MS = 50;

/**
 * Measures by a timer that should come every 50 ms. Timers run before sockets are read, so a stall is known before the frames that
 * waited through it are seen.
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
