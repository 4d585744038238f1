/**
 * An estimate of the server's time. Messages that name the time arrive late, never early, so the
 * estimate that is furthest ahead is the most accurate.
 */
interface ServerClock {
  /** @param serverAt when the server sent the message that just arrived (ms since 1970) */
  observe(serverAt: number): void;
  /** For a new connection: the device may have slept. */
  reset(): void;
  now(): number;
}

/**
 * @param localNow monotonic ms of this device
 * @param guess the offset until the first message
 */
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
