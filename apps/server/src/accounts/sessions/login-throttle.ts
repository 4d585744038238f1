import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toQueueSource } from "../../platform/fair-queue.ts";
import { makeRateLimiter, type RateLimit } from "../../platform/rate-limiter.ts";
import type { OpenRateLimiter } from "../../platform/shared-rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type AccountRateLimits, makeAddressLimiter } from "../rate-limits.ts";

const KNOWN_ADDRESSES_MAX = 100_000;
/** Of a known device. Successful logins count too: attackers have devices of their own accounts. */
const PRIORITY_LIMIT: RateLimit = { burst: 6, refillMs: 60_000 };

/**
 * Limits logins per network address and per account (figures: `accounts/rate-limits.ts`). Known
 * devices and addresses have limits of their own: others' guesses do not throttle the owner.
 */
export interface LoginThrottle {
  /**
   * Counts an attempt. `email` is normalized; `deviceHash` names a device from which the account
   * has logged in. A proof of work opens the second limit of an address, and none of an account.
   */
  begin(
    email: string,
    address: string,
    deviceHash: string | null,
    isProven: boolean,
  ): Promise<Result<LoginAttempt, "work_required" | "too_many_requests">>;
  /** A password was reset from this network address. */
  addKnownAddress(email: string, address: string): void;
}

interface LoginAttempt {
  readonly knownSource: string | null;
  /** A successful login is not counted as a guess, and its network address becomes known. */
  succeeded(): Promise<void>;
  /** Nothing was guessed: the attempt does not count. */
  withdraw(): Promise<void>;
}

export function openLoginThrottle(open: OpenRateLimiter, limits: AccountRateLimits, time: Time): LoginThrottle {
  const logins = makeAddressLimiter(
    open("logins", limits.loginPerAddress),
    open("provenLogins", limits.loginProvenPerAddress),
    open("provenLoginsInAll", limits.loginProvenInAll),
  );
  const guesses = open("guesses", limits.loginPerAccount);
  const guessesFromNetwork = open("guessesFromNetwork", limits.loginPerAccountAndAddress);
  const sessions = open("sessions", limits.sessionsPerAccount);
  // Only for the order in which this server hashes passwords.
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
    addKnownAddress,
    async begin(email, address, deviceHash, isProven) {
      const knownPlace = deviceHash ?? (known.has(toKey(email, address)) ? address : null);
      const guesser = knownPlace === null ? email : toKey(email, knownPlace);
      const hasPriority = knownPlace !== null && priorities.tryAcquire(guesser);
      const entered = hasPriority ? ok(async () => undefined) : await logins.tryAcquire(address, isProven);
      if (!entered.ok) return entered;
      // Of an unknown place: one network alone never uses up the limit of all such places.
      const network = knownPlace === null ? toKey(email, toQueueSource(address)) : null;
      if (network !== null && !(await guessesFromNetwork.tryAcquire(network))) return refuse("too_many_requests");
      if (!(await guesses.tryAcquire(guesser))) return refuse("too_many_requests");
      async function giveBackGuess(): Promise<void> {
        await guesses.giveBackToken(guesser);
        if (network !== null) await guessesFromNetwork.giveBackToken(network);
      }
      // Counts successful logins only: others' guesses must not lock the owner out.
      const sessionsOf = deviceHash === null ? email : guesser;
      if (!(await sessions.hasToken(sessionsOf))) {
        await giveBackGuess();
        return refuse("too_many_requests");
      }
      return ok({
        knownSource: hasPriority ? guesser : null,
        async succeeded() {
          addKnownAddress(email, address);
          await sessions.charge(sessionsOf);
          await giveBackGuess();
        },
        async withdraw() {
          await giveBackGuess();
          await entered.value();
        },
      });
    },
  };
}
