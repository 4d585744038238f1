import type { Client } from "../../accounts/accounts.ts";
import { makeRateLimiter, type RateLimit } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";

/**
 * Counts requests: those without a session or known device by address, others by what they name.
 */
export interface RequestLimits {
  tryAcquire(client: Client): boolean;
  /** Counts a request that turned out to be expensive as several. */
  charge(client: Client, requests: number): void;
}

/** This many sessions of one network address may use up their limits simultaneously. */
export const KNOWN_PER_ADDRESS = 10;
/** Several pages at once, then one request every half second, whatever others of the address do. */
export const SHARE_PER_KNOWN: RateLimit = { burst: 100, refillMs: 500 };

/** `toKnownSource`: the session or device that a correctly signed cookie names. */
export function makeRequestLimits(
  time: Time,
  { burst, refillMs }: RateLimit,
  toKnownSource: (cookie: string | undefined) => string | null,
  sharePerKnown = SHARE_PER_KNOWN,
): RequestLimits {
  const shares = makeRateLimiter(time, sharePerKnown);
  const ofSources = makeRateLimiter(time, { burst, refillMs });
  const ofKnown = makeRateLimiter(time, { burst: burst * KNOWN_PER_ADDRESS, refillMs: refillMs / KNOWN_PER_ADDRESS });
  return {
    tryAcquire({ address, cookie }) {
      const known = toKnownSource(cookie);
      if (known === null) return ofSources.tryAcquire(address);
      return ofSources.tryAcquire(known) && (shares.tryAcquire(known) || ofKnown.tryAcquire(address));
    },
    charge({ address, cookie }, requests) {
      const known = toKnownSource(cookie);
      if (known !== null) ofKnown.charge(address, requests);
      ofSources.charge(known ?? address, requests);
    },
  };
}
