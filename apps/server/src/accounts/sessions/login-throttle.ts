import { makeRateLimiter, type RateLimit } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { AccountRateLimits } from "../rate-limits.ts";

const KNOWN_ADDRESSES_MAX = 100_000;
/** Successful logins count too: an attacker's own accounts have known devices. */
const PRIORITY_LIMIT: RateLimit = { burst: 6, refillMs: 60_000 };

/**
 * Limits logins per network address, and failed and successful logins per account. A known device
 * or network address has limits of its own, so that others' guesses do not throttle the owner.
 */
export interface LoginThrottle {
  /**
   * Counts an attempt; null if there were too many. `email` is normalized; `deviceHash` names a
   * device from which the account has logged in.
   */
  begin(email: string, address: string, deviceHash: string | null): LoginAttempt | null;
  addKnownAddress(email: string, address: string): void;
}

interface LoginAttempt {
  readonly knownSource: string | null;
  /** A successful login is not counted as a guess, and its network address becomes known. */
  succeeded(): void;
  /** Nothing was guessed: the attempt does not count. */
  withdraw(): void;
}

export function makeLoginThrottle(time: Time, limits: AccountRateLimits): LoginThrottle {
  const logins = makeRateLimiter(time, limits.loginPerAddress);
  const guesses = makeRateLimiter(time, limits.loginPerAccount);
  const sessions = makeRateLimiter(time, limits.sessionsPerAccount);
  const priorities = makeRateLimiter(time, PRIORITY_LIMIT);
  const known = new Set<string>();
  const toKey = (email: string, place: string): string => `${email} ${place}`;

  function addKnownAddress(email: string, address: string): void {
    known.delete(toKey(email, address));
    known.add(toKey(email, address));
    const oldest = known.size > KNOWN_ADDRESSES_MAX ? known.values().next() : undefined;
    if (oldest?.done === false) known.delete(oldest.value);
  }

  return {
    begin(email, address, deviceHash) {
      // Counts successful logins only: others' guesses must not lock the owner out.
      if (!sessions.tryAcquire(email)) return null;
      sessions.giveBackToken(email);
      const knownPlace = deviceHash ?? (known.has(toKey(email, address)) ? address : null);
      const guesser = knownPlace === null ? email : toKey(email, knownPlace);
      const hasPriority = knownPlace !== null && priorities.tryAcquire(guesser);
      if (!hasPriority && !logins.tryAcquire(address)) return null;
      if (!guesses.tryAcquire(guesser)) return null;
      return {
        knownSource: hasPriority ? guesser : null,
        succeeded() {
          sessions.charge(email, 1);
          guesses.giveBackToken(guesser);
          addKnownAddress(email, address);
        },
        withdraw() {
          guesses.giveBackToken(guesser);
          if (!hasPriority) logins.giveBackToken(address);
        },
      };
    },
    addKnownAddress,
  };
}
