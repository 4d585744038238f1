import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";

/** Delays before each retry; the last one repeats. */
const RECONNECT_DELAYS_MS = [0, 250, 500, 1_000, 2_000, 4_000] as const;

/** The delays before retries: ever longer, or as the server advised. */
export function createReconnectDelays(random: () => number) {
  let tries = 0;
  let advisedMs: number | null = null;
  return {
    reset() {
      tries = 0;
    },
    advise(delayMs: number) {
      advisedMs = delayMs;
    },
    nextMs(code: number): number {
      const last = RECONNECT_DELAYS_MS.length - 1;
      const delayMs =
        advisedMs ??
        RECONNECT_DELAYS_MS[code === CLOSE.flooding || code === CLOSE.busy ? last : Math.min(tries, last)]!;
      tries += 1;
      advisedMs = null;
      // Widely spread: all pages lose a server at the same moment.
      return delayMs * (0.5 + random());
    },
  };
}
