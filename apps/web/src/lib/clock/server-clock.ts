/**
 * An estimate of the server's time. Messages with a time arrive late, never early, so the estimate
 * furthest ahead is the most accurate.
 */
interface ServerClock {
  /** `serverAt` is when the server sent the message that just arrived (ms since 1970). */
  observe(serverAt: number): void;
  /** An answer's date, in whole seconds: counts until the first observation. */
  suggest(serverAt: number): void;
  /** For a new connection: the device may have slept. */
  reset(): void;
  now(): number;
  /** Calls the listener whenever the estimate jumps by a second or more. */
  onCorrected(listener: () => void): () => void;
}

const JUMP_MS = 1_000;

/** `localNow` is monotonic ms of this device, `guess` the offset until the first answer. */
export function createServerClock(localNow: () => number, guess: number): ServerClock {
  let offset: number | null = null;
  let fallback = guess;
  const listeners = new Set<() => void>();
  const now = () => localNow() + (offset ?? fallback);

  function correct(act: () => void): void {
    const before = offset ?? fallback;
    act();
    if (Math.abs((offset ?? fallback) - before) >= JUMP_MS) for (const listener of listeners) listener();
  }

  return {
    observe(serverAt) {
      const estimate = serverAt - localNow();
      correct(() => {
        offset = offset === null ? estimate : Math.max(offset, estimate);
      });
    },
    suggest(serverAt) {
      if (offset !== null || !Number.isFinite(serverAt)) return;
      // Less than the resolution of a date is no news.
      if (Math.abs(serverAt - now()) < 2 * JUMP_MS) return;
      correct(() => {
        fallback = serverAt - localNow();
      });
    },
    reset() {
      fallback = offset ?? fallback;
      offset = null;
    },
    now,
    onCorrected(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * For every instant that is shown. The device's own clock serves only durations that this device
 * stores and reads itself.
 */
export const serverClock = createServerClock(() => performance.now(), Date.now() - performance.now());
