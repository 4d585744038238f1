import { makeRateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { AccountRateLimits } from "../rate-limits.ts";

const KNOWN_ADDRESSES_MAX = 100_000;

/**
 * Limits logins per network address and failed logins per account. A network address from which the
 * account logged in or reset its password since the start has a limit of its own there, so that
 * others' guesses do not throttle the owner.
 */
export interface LoginThrottle {
  /** Counts an attempt; null if there were too many. @param email normalized */
  begin(email: string, address: string): LoginAttempt | null;
  addKnownAddress(email: string, address: string): void;
}

export interface LoginAttempt {
  /** A successful login is not counted as a guess, and its network address becomes known. */
  succeeded(): void;
}

export function makeLoginThrottle(time: Time, limits: AccountRateLimits): LoginThrottle {
  const logins = makeRateLimiter(time, limits.loginPerAddress);
  const guesses = makeRateLimiter(time, limits.loginPerAccount);
  const known = new Set<string>();
  const toKey = (email: string, address: string): string => `${email} ${address}`;

  function addKnownAddress(email: string, address: string): void {
    known.delete(toKey(email, address));
    known.add(toKey(email, address));
    const oldest = known.size > KNOWN_ADDRESSES_MAX ? known.values().next() : undefined;
    if (oldest?.done === false) known.delete(oldest.value);
  }

  return {
    begin(email, address) {
      const guesser = known.has(toKey(email, address)) ? toKey(email, address) : email;
      if (!logins.tryAcquire(address) || !guesses.tryAcquire(guesser)) return null;
      return {
        succeeded() {
          guesses.giveBackToken(guesser);
          addKnownAddress(email, address);
        },
      };
    },
    addKnownAddress,
  };
}
