import type { RateLimit } from "../platform/rate-limiter.ts";

export interface AccountRateLimits {
  readonly registerPerAddress: RateLimit;
  /** Mails to the owner of an address with which others try to register. */
  readonly registerPerAccount: RateLimit;
  readonly loginPerAddress: RateLimit;
  /** Failed logins to one account from where it is not known. Known addresses have the same, each for itself: no one locks them out. */
  readonly loginPerAccount: RateLimit;
  /** Mails that a player or a visitor asks for. */
  readonly mailPerAccount: RateLimit;
  /** Links for a new password to one address, whether or not anybody has it. */
  readonly resetPerAccount: RateLimit;
  /** Mails to one address, whether or not anybody has it, by players who want it for their account. */
  readonly changePerAddress: RateLimit;
  readonly mailPerAddress: RateLimit;
}

/** Many players share an address where carriers translate them, so it is generous there; an account is one person's. */
export const PRODUCTION_RATE_LIMITS: AccountRateLimits = {
  // Each tells whoever can read no mail at the address one thing about it (see docs/decisions/accounts.md).
  registerPerAddress: { burst: 10, refillMs: 120_000 },
  registerPerAccount: { burst: 2, refillMs: 6 * 3_600_000 },
  loginPerAddress: { burst: 40, refillMs: 2_000 },
  loginPerAccount: { burst: 10, refillMs: 30_000 },
  mailPerAccount: { burst: 3, refillMs: 300_000 },
  // As long as a link works, so that whoever asks in the owner's place never leaves them without one.
  resetPerAccount: { burst: 3, refillMs: 600_000 },
  changePerAddress: { burst: 3, refillMs: 600_000 },
  mailPerAddress: { burst: 20, refillMs: 60_000 },
};

/** Out of the way of who tries things out and of browser tests, which all come from one address. */
export const DEVELOPMENT_RATE_LIMITS: AccountRateLimits = {
  registerPerAddress: { burst: 10_000, refillMs: 10 },
  registerPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAddress: { burst: 10_000, refillMs: 10 },
  loginPerAccount: { burst: 100, refillMs: 1_000 },
  mailPerAccount: { burst: 100, refillMs: 1_000 },
  resetPerAccount: { burst: 100, refillMs: 1_000 },
  changePerAddress: { burst: 100, refillMs: 1_000 },
  mailPerAddress: { burst: 10_000, refillMs: 10 },
};
