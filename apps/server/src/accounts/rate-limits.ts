import type { RateLimit } from "../platform/rate-limiter.ts";
import type { OpenRateLimiter, SharedRateLimiter } from "../platform/shared-rate-limiter.ts";

export interface AccountRateLimits {
  /** Without a proof of work. */
  readonly registerPerAddress: RateLimit;
  readonly registerProvenPerAddress: RateLimit;
  readonly registerPerAccount: RateLimit;
  readonly loginPerAddress: RateLimit;
  /**
   * Failed logins from unknown network addresses. Each known address has its own limit of the same
   * size, so that no attacker locks the owner out.
   */
  readonly loginPerAccount: RateLimit;
  /** Successful logins: each session has request and connection limits of its own. */
  readonly sessionsPerAccount: RateLimit;
  readonly codePerAccount: RateLimit;
  readonly mailPerAccount: RateLimit;
  /** Reset links per email address, whether or not it has an account. */
  readonly resetPerAccount: RateLimit;
  /** Mails per new email address, whether or not it has an account. */
  readonly changePerEmail: RateLimit;
  /** Verification mails per email address, over all accounts that it had or has. */
  readonly verificationPerEmail: RateLimit;
  readonly mailPerAddress: RateLimit;
}

/** Generous per network address, which mobile carriers share among many players. */
export const PRODUCTION_RATE_LIMITS: AccountRateLimits = {
  // Each attempt reveals whether an email address is taken (see docs/decisions/accounts.md).
  registerPerAddress: { burst: 10, refillMs: 120_000 },
  registerProvenPerAddress: { burst: 100, refillMs: 10_000 },
  registerPerAccount: { burst: 2, refillMs: 6 * 3_600_000 },
  loginPerAddress: { burst: 40, refillMs: 2_000 },
  loginPerAccount: { burst: 10, refillMs: 30_000 },
  sessionsPerAccount: { burst: 30, refillMs: 120_000 },
  // Three of a million codes are valid at any time. A guesser needs the password too.
  codePerAccount: { burst: 5, refillMs: 300_000 },
  mailPerAccount: { burst: 3, refillMs: 300_000 },
  // Matches the life of a link, so that requests by others never leave the owner without one.
  resetPerAccount: { burst: 3, refillMs: 600_000 },
  changePerEmail: { burst: 3, refillMs: 600_000 },
  // A registration and the resends of `mailPerAccount`, with one to spare.
  verificationPerEmail: { burst: 5, refillMs: 1_200_000 },
  mailPerAddress: { burst: 20, refillMs: 60_000 },
};

/** Generous: development and browser tests use one network address. */
export const DEVELOPMENT_RATE_LIMITS: AccountRateLimits = {
  registerPerAddress: { burst: 10_000, refillMs: 10 },
  registerProvenPerAddress: { burst: 10_000, refillMs: 10 },
  registerPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAddress: { burst: 10_000, refillMs: 10 },
  loginPerAccount: { burst: 100, refillMs: 1_000 },
  sessionsPerAccount: { burst: 10_000, refillMs: 10 },
  codePerAccount: { burst: 100, refillMs: 1_000 },
  mailPerAccount: { burst: 100, refillMs: 1_000 },
  resetPerAccount: { burst: 100, refillMs: 1_000 },
  changePerEmail: { burst: 100, refillMs: 1_000 },
  verificationPerEmail: { burst: 100, refillMs: 1_000 },
  mailPerAddress: { burst: 10_000, refillMs: 10 },
};

export interface AccountRateLimiters {
  /** By network address. */
  readonly registrations: SharedRateLimiter;
  readonly provenRegistrations: SharedRateLimiter;
  /** Notices to third parties, by registration block key. */
  readonly thirdPartyNotices: SharedRateLimiter;
  readonly confirmations: SharedRateLimiter;
  readonly codes: SharedRateLimiter;
  readonly mailsToPlayer: SharedRateLimiter;
  /** By email address. */
  readonly resets: SharedRateLimiter;
  /** By registration block key. */
  readonly emailChanges: SharedRateLimiter;
  readonly verifications: SharedRateLimiter;
  /** By network address. */
  readonly mailsFromAddress: SharedRateLimiter;
}

export function openAccountRateLimiters(open: OpenRateLimiter, limits: AccountRateLimits): AccountRateLimiters {
  return {
    registrations: open("registrations", limits.registerPerAddress),
    provenRegistrations: open("provenRegistrations", limits.registerProvenPerAddress),
    thirdPartyNotices: open("thirdPartyNotices", limits.registerPerAccount),
    confirmations: open("confirmations", limits.loginPerAccount),
    codes: open("codes", limits.codePerAccount),
    mailsToPlayer: open("mailsToPlayer", limits.mailPerAccount),
    resets: open("resets", limits.resetPerAccount),
    emailChanges: open("emailChanges", limits.changePerEmail),
    verifications: open("verifications", limits.verificationPerEmail),
    mailsFromAddress: open("mailsFromAddress", limits.mailPerAddress),
  };
}
