import type { RateLimit } from "../platform/rate-limiter.ts";
import type { OpenRateLimiter, SharedRateLimiter } from "../platform/shared-rate-limiter.ts";

export interface AccountRateLimits {
  readonly registerPerAddress: RateLimit;
  readonly registerPerAccount: RateLimit;
  /** Of strangers: a known device or address has no limit but its own. */
  readonly loginPerAddress: RateLimit;
  /**
   * Failed logins from unknown network addresses. Each known device and address has its own limit
   * of the same size, and a password reset makes its device known.
   */
  readonly loginPerAccount: RateLimit;
  /** The share of `loginPerAccount` that one unknown network uses up. */
  readonly loginPerAccountAndAddress: RateLimit;
  /** Successful logins: each session has request and connection limits of its own. */
  readonly sessionsPerAccount: RateLimit;
  /** Each known device and session has its own limit of the same size. */
  readonly codePerAccount: RateLimit;
  readonly mailPerAccount: RateLimit;
  /**
   * Reset links per email address, whether or not it has an account. The spellings of a canonical
   * email share a limit of the same size where their accounts were never verified.
   */
  readonly resetPerAccount: RateLimit;
  /** Mails per new email address, whether or not it has an account. */
  readonly changePerEmail: RateLimit;
  /** Verification mails per email address, over all accounts that it had or has. */
  readonly verificationPerEmail: RateLimit;
  /** Notices about accounts whose address was never verified, over all accounts of the address. */
  readonly noticesPerUnverifiedEmail: RateLimit;
  /** Reset links. In a session mails count per player. */
  readonly mailPerAddress: RateLimit;
}

/** Generous per network address, which mobile carriers share among many players. */
export const PRODUCTION_RATE_LIMITS: AccountRateLimits = {
  // Each attempt reveals whether an email address is taken (see docs/decisions/accounts.md).
  registerPerAddress: { burst: 60, refillMs: 30_000 },
  registerPerAccount: { burst: 2, refillMs: 6 * 3_600_000 },
  loginPerAddress: { burst: 60, refillMs: 1_000 },
  loginPerAccount: { burst: 10, refillMs: 30_000 },
  // Slower than the account's limit refills: strangers of six networks cannot use it up.
  loginPerAccountAndAddress: { burst: 5, refillMs: 180_000 },
  sessionsPerAccount: { burst: 30, refillMs: 120_000 },
  // Three of a million codes are valid at any time. A guesser needs the password too.
  codePerAccount: { burst: 5, refillMs: 300_000 },
  mailPerAccount: { burst: 3, refillMs: 300_000 },
  // Half the life of a link: the newest one is always valid for five more minutes.
  resetPerAccount: { burst: 3, refillMs: 300_000 },
  changePerEmail: { burst: 3, refillMs: 600_000 },
  // A registration and the resends of `mailPerAccount`, with one to spare.
  verificationPerEmail: { burst: 5, refillMs: 1_200_000 },
  noticesPerUnverifiedEmail: { burst: 10, refillMs: 3_600_000 },
  mailPerAddress: { burst: 40, refillMs: 20_000 },
};

/** Generous: development and browser tests use one network address. */
export const DEVELOPMENT_RATE_LIMITS: AccountRateLimits = {
  registerPerAddress: { burst: 10_000, refillMs: 10 },
  registerPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAddress: { burst: 10_000, refillMs: 10 },
  loginPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAccountAndAddress: { burst: 100, refillMs: 1_000 },
  sessionsPerAccount: { burst: 10_000, refillMs: 10 },
  codePerAccount: { burst: 100, refillMs: 1_000 },
  mailPerAccount: { burst: 100, refillMs: 1_000 },
  resetPerAccount: { burst: 100, refillMs: 1_000 },
  changePerEmail: { burst: 100, refillMs: 1_000 },
  verificationPerEmail: { burst: 100, refillMs: 1_000 },
  noticesPerUnverifiedEmail: { burst: 100, refillMs: 1_000 },
  mailPerAddress: { burst: 10_000, refillMs: 10 },
};

export interface AccountRateLimiters {
  readonly registrations: SharedRateLimiter;
  /** Notices to third parties, by registration block key. */
  readonly thirdPartyNotices: SharedRateLimiter;
  readonly confirmations: SharedRateLimiter;
  readonly codes: SharedRateLimiter;
  readonly mailsToPlayer: SharedRateLimiter;
  /** By email address. */
  readonly resets: SharedRateLimiter;
  /** By registration block key. */
  readonly unverifiedResets: SharedRateLimiter;
  /** By registration block key. */
  readonly emailChanges: SharedRateLimiter;
  readonly verifications: SharedRateLimiter;
  /** By registration block key. */
  readonly unverifiedNotices: SharedRateLimiter;
  readonly mailsFromAddress: SharedRateLimiter;
}

export function openAccountRateLimiters(open: OpenRateLimiter, limits: AccountRateLimits): AccountRateLimiters {
  return {
    registrations: open("registrations", limits.registerPerAddress),
    thirdPartyNotices: open("thirdPartyNotices", limits.registerPerAccount),
    confirmations: open("confirmations", limits.loginPerAccount),
    codes: open("codes", limits.codePerAccount),
    mailsToPlayer: open("mailsToPlayer", limits.mailPerAccount),
    resets: open("resets", limits.resetPerAccount),
    unverifiedResets: open("unverifiedResets", limits.resetPerAccount),
    emailChanges: open("emailChanges", limits.changePerEmail),
    verifications: open("verifications", limits.verificationPerEmail),
    unverifiedNotices: open("unverifiedNotices", limits.noticesPerUnverifiedEmail),
    mailsFromAddress: open("mailsFromAddress", limits.mailPerAddress),
  };
}
