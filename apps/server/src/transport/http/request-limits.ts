import type { Visitor } from "../../accounts/accounts.ts";
import { makeRateLimiter, type RateLimit } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";

/** Counts requests: those of strangers by network address, a session or known device for itself. */
export interface RequestLimits {
  tryAcquire(visitor: Visitor): boolean;
  /** Counts a request that turned out to be expensive as several. */
  charge(visitor: Visitor, requests: number): void;
}

/** So many sessions of one network address may use up their limit at once. */
export const KNOWN_PER_ADDRESS = 10;

/** @param toKnownSource the session or device that a correctly signed cookie names */
export function makeRequestLimits(
  time: Time,
  { burst, refillMs }: RateLimit,
  toKnownSource: (cookie: string | undefined) => string | null,
): RequestLimits {
  const ofSources = makeRateLimiter(time, { burst, refillMs });
  const ofKnown = makeRateLimiter(time, { burst: burst * KNOWN_PER_ADDRESS, refillMs: refillMs / KNOWN_PER_ADDRESS });
  return {
    tryAcquire({ address, cookie }) {
      const known = toKnownSource(cookie);
      if (known === null) return ofSources.tryAcquire(address);
      return ofKnown.tryAcquire(address) && ofSources.tryAcquire(known);
    },
    charge({ address, cookie }, requests) {
      const known = toKnownSource(cookie);
      if (known !== null) ofKnown.charge(address, requests);
      ofSources.charge(known ?? address, requests);
    },
  };
}
