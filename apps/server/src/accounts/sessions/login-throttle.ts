import { toTurnSource } from "../../platform/fair-turns.ts";
import type { OpenRateLimiter } from "../../platform/shared-rate-limiter.ts";
import type { AccountRateLimits } from "../rate-limits.ts";

const KNOWN_ADDRESSES_MAX = 100_000;

/**
 * Limits logins per network address and per account (figures: `accounts/rate-limits.ts`). Known
 * devices and addresses have limits of their own: others' guesses do not throttle the owner.
 */
export interface LoginThrottle {
  /**
   * Counts an attempt. `email` is normalized; `deviceHash` names a device from which the account
   * has logged in. Null: there were too many.
   */
  begin(email: string, address: string, deviceHash: string | null): Promise<LoginAttempt | null>;
  /** A password was reset from this network address. */
  addKnownAddress(email: string, address: string): void;
}

interface LoginAttempt {
  /** The account at a known device or address; null for a stranger. */
  readonly knownGuesser: string | null;
  /** A successful login is not counted as a guess, and its network address becomes known. */
  succeeded(): Promise<void>;
  /** Nothing was guessed: the attempt does not count. */
  withdraw(): Promise<void>;
}

export function openLoginThrottle(open: OpenRateLimiter, limits: AccountRateLimits): LoginThrottle {
  const logins = open("logins", limits.loginPerAddress);
  const guesses = open("guesses", limits.loginPerAccount);
  const guessesFromNetwork = open("guessesFromNetwork", limits.loginPerAccountAndAddress);
  const sessions = open("sessions", limits.sessionsPerAccount);
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
    async begin(email, address, deviceHash) {
      const knownPlace = deviceHash ?? (known.has(toKey(email, address)) ? address : null);
      const knownGuesser = knownPlace === null ? null : toKey(email, knownPlace);
      const guesser = knownGuesser ?? email;
      if (knownGuesser === null && !(await logins.tryAcquire(address))) return null;
      // Of an unknown place: one network alone never uses up the limit of all such places.
      const network = knownGuesser === null ? toKey(email, toTurnSource(address)) : null;
      if (network !== null && !(await guessesFromNetwork.tryAcquire(network))) return null;
      if (!(await guesses.tryAcquire(guesser))) return null;
      async function giveBackGuess(): Promise<void> {
        await guesses.giveBackToken(guesser);
        if (network !== null) await guessesFromNetwork.giveBackToken(network);
      }
      // Counts successful logins only: others' guesses must not lock the owner out.
      const sessionsOf = deviceHash === null ? email : guesser;
      if (!(await sessions.hasToken(sessionsOf))) {
        await giveBackGuess();
        return null;
      }
      return {
        knownGuesser,
        async succeeded() {
          addKnownAddress(email, address);
          await sessions.charge(sessionsOf);
          await giveBackGuess();
        },
        async withdraw() {
          await giveBackGuess();
          if (knownGuesser === null) await logins.giveBackToken(address);
        },
      };
    },
  };
}
