import type { Time } from "./time.ts";

/** So many at once, and one more every so many milliseconds. */
export interface Rate {
  readonly burst: number;
  readonly refillMs: number;
}

interface Bucket {
  readonly tokens: number;
  readonly countedAtMs: number;
}

/** Keys remembered at once. The one untouched for longest is forgotten: by then it has mostly filled up again. */
const KEYS_MAX = 50_000;

export interface Limit {
  /** Takes one of the key's tokens; false where none is left. */
  take(key: string): boolean;
  /** Gives a token back that turned out not to be owed. */
  giveBack(key: string): void;
}

/** Counts in this process alone: a restart forgives, which harms less than a write for every guess would. */
export function makeLimit(time: Time, { burst, refillMs }: Rate): Limit {
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
    take(key) {
      const nowMs = time.monotonicMs();
      const tokens = tokensOf(key, nowMs);
      if (tokens < 1) return false;
      keep(key, tokens - 1, nowMs);
      return true;
    },
    giveBack(key) {
      const nowMs = time.monotonicMs();
      keep(key, Math.min(burst, tokensOf(key, nowMs) + 1), nowMs);
    },
  };
}
