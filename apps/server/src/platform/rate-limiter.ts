import type { Time } from "./time/time.ts";

/** Token bucket: `burst` at once, then one more every `refillMs`. */
export interface RateLimit {
  readonly burst: number;
  readonly refillMs: number;
}

interface Bucket {
  readonly tokens: number;
  readonly countedAtMs: number;
}

/**
 * Maximum number of keys. The least recently used one is dropped: it has mostly refilled by then.
 */
const KEYS_MAX = 50_000;

export interface RateLimiter {
  /** Takes one token of the key; false if none is left. */
  tryAcquire(key: string): boolean;
  hasToken(key: string): boolean;
  /** Takes tokens for a cost known only afterwards, down to minus one burst. */
  charge(key: string, tokens: number): void;
  giveBackToken(key: string): void;
}

/** In memory: a restart resets it, which costs less than a database write per attempt. */
export function makeRateLimiter(time: Pick<Time, "monotonicMs">, { burst, refillMs }: RateLimit): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const tokensOf = (key: string, nowMs: number): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + (nowMs - bucket.countedAtMs) / refillMs);
  };
  const keep = (key: string, tokens: number, countedAtMs: number): void => {
    buckets.delete(key);
    buckets.set(key, { tokens, countedAtMs });
    const oldest = buckets.size > KEYS_MAX ? buckets.keys().next() : undefined;
    if (oldest?.done === false) buckets.delete(oldest.value);
  };
  return {
    tryAcquire(key) {
      const nowMs = time.monotonicMs();
      const tokens = tokensOf(key, nowMs);
      if (tokens < 1) return false;
      keep(key, tokens - 1, nowMs);
      return true;
    },
    hasToken: (key) => tokensOf(key, time.monotonicMs()) >= 1,
    charge(key, tokens) {
      const nowMs = time.monotonicMs();
      keep(key, Math.max(-burst, tokensOf(key, nowMs) - tokens), nowMs);
    },
    giveBackToken(key) {
      const nowMs = time.monotonicMs();
      keep(key, Math.min(burst, tokensOf(key, nowMs) + 1), nowMs);
    },
  };
}
