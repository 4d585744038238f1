import type { Time } from "./time/time.ts";

/** Token bucket: `burst` at once, then one more every `refillMs`. */
export interface RateLimit {
  readonly burst: number;
  readonly refillMs: number;
}

/**
 * Maximum number of keys. The least recently used one is dropped: it has mostly refilled by then.
 */
const KEYS_MAX = 50_000;
/** With more keys, the oldest ones that have refilled are dropped. */
const KEYS_KEPT_MIN = 1_000;
/** In tokens: sums of fractional ms are not exact. */
const ROUNDING = 1e-6;

export interface RateLimiter {
  /** Takes one token of the key; false if none is left. */
  tryAcquire(key: string): boolean;
  /** Whether as many tokens are left. Takes none. */
  hasToken(key: string, tokens?: number): boolean;
  /** Takes tokens for a cost known only afterwards, down to minus one burst. */
  charge(key: string, tokens: number): void;
  giveBackToken(key: string): void;
}

/** In memory: a restart resets it, which costs less than a database write per attempt. */
export function makeRateLimiter(time: Pick<Time, "monotonicMs">, { burst, refillMs }: RateLimit): RateLimiter {
  /** When each key will have refilled, the least recently used first. Unknown keys are full. */
  const fullAtMs = new Map<string, number>();
  let keysKept = KEYS_KEPT_MIN;

  const missingOf = (key: string, nowMs: number): number =>
    Math.max(0, (fullAtMs.get(key) ?? nowMs) - nowMs) / refillMs;
  const hasToken = (missing: number, tokens = 1): boolean => missing <= burst - tokens + ROUNDING;

  const keep = (key: string, missing: number, nowMs: number): void => {
    fullAtMs.delete(key);
    fullAtMs.set(key, nowMs + missing * refillMs);
    if (fullAtMs.size > keysKept) dropOld(nowMs);
  };

  function dropOld(nowMs: number): void {
    for (const [key, atMs] of fullAtMs) {
      if (atMs > nowMs && fullAtMs.size <= KEYS_MAX) break;
      fullAtMs.delete(key);
    }
    keysKept = Math.min(KEYS_MAX, Math.max(KEYS_KEPT_MIN, 2 * fullAtMs.size));
  }

  return {
    tryAcquire(key) {
      const nowMs = time.monotonicMs();
      const missing = missingOf(key, nowMs);
      if (!hasToken(missing)) return false;
      keep(key, missing + 1, nowMs);
      return true;
    },
    hasToken: (key, tokens) => hasToken(missingOf(key, time.monotonicMs()), tokens),
    charge(key, tokens) {
      const nowMs = time.monotonicMs();
      keep(key, Math.min(2 * burst, missingOf(key, nowMs) + tokens), nowMs);
    },
    giveBackToken(key) {
      const nowMs = time.monotonicMs();
      keep(key, Math.max(0, missingOf(key, nowMs) - 1), nowMs);
    },
  };
}
