/**
 * An estimate of the server's time. Messages with a time arrive late, never early, so the estimate
 * furthest ahead is the most accurate.
 */
interface ServerClock {
  /** `serverAt` is when the server sent the message that just arrived (ms since 1970). */
  observe(serverAt: number): void;
  /** For a new connection: the device may have slept. */
  reset(): void;
  now(): number;
}

/** `localNow` is monotonic ms of this device, `guess` the offset until the first message. */
export function createServerClock(localNow: () => number, guess: number): ServerClock {
  let offset: number | null = null;
  let fallback = guess;
  return {
    observe(serverAt) {
      const estimate = serverAt - localNow();
      offset = offset === null ? estimate : Math.max(offset, estimate);
    },
    reset() {
      fallback = offset ?? fallback;
      offset = null;
    },
    now: () => localNow() + (offset ?? fallback),
  };
}

export const serverClock = createServerClock(() => performance.now(), Date.now() - performance.now());
