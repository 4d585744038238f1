/**
 * The server's time as this page knows it. Every message that names it arrived a little late, never early, so the newest estimate is the
 * furthest ahead: the least delayed message says it best.
 */
export interface ServerClock {
  /** @param serverAt an instant the server had reached when it sent what has just arrived (ms since 1970) */
  hear(serverAt: number): void;
  /** A new connection measures anew: the device may have slept meanwhile. */
  reset(): void;
  /** ms since 1970 by the server's clock, not rounded. */
  now(): number;
}

/** @param localNow ms of this device; monotonic, its origin does not matter. @param guess the offset until the server has spoken */
export function createServerClock(localNow: () => number, guess: number): ServerClock {
  let offset: number | null = null;
  let earlier = guess;
  return {
    hear(serverAt) {
      const heard = serverAt - localNow();
      offset = offset === null ? heard : Math.max(offset, heard);
    },
    reset() {
      earlier = offset ?? earlier;
      offset = null;
    },
    now: () => localNow() + (offset ?? earlier),
  };
}
