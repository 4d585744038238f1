import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RateLimit } from "../platform/rate-limiter.ts";
import type { OpenRateLimiter, SharedRateLimiter } from "../platform/shared-rate-limiter.ts";

export interface AccountRateLimits {
  /** Without a proof of work. */
  readonly registerPerAddress: RateLimit;
  readonly registerProvenPerAddress: RateLimit;
  readonly registerPerAccount: RateLimit;
  /** Without a proof of work. */
  readonly loginPerAddress: RateLimit;
  readonly loginProvenPerAddress: RateLimit;
  /** Of all addresses. */
  readonly loginProvenInAll: RateLimit;
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
  /** Without a proof of work. */
  readonly mailPerAddress: RateLimit;
  readonly mailProvenPerAddress: RateLimit;
  /** Of all addresses. */
  readonly mailProvenInAll: RateLimit;
}

/** Generous per network address, which mobile carriers share among many players. */
export const PRODUCTION_RATE_LIMITS: AccountRateLimits = {
  // Each attempt reveals whether an email address is taken (see docs/decisions/accounts.md).
  registerPerAddress: { burst: 10, refillMs: 120_000 },
  registerProvenPerAddress: { burst: 100, refillMs: 10_000 },
  registerPerAccount: { burst: 2, refillMs: 6 * 3_600_000 },
  loginPerAddress: { burst: 40, refillMs: 2_000 },
  loginProvenPerAddress: { burst: 30, refillMs: 1_000 },
  // Half of what the server can hash, for at least four addresses.
  loginProvenInAll: { burst: 120, refillMs: 250 },
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
  mailPerAddress: { burst: 20, refillMs: 60_000 },
  mailProvenPerAddress: { burst: 30, refillMs: 5_000 },
  mailProvenInAll: { burst: 120, refillMs: 1_000 },
};

/** Generous: development and browser tests use one network address. */
export const DEVELOPMENT_RATE_LIMITS: AccountRateLimits = {
  registerPerAddress: { burst: 10_000, refillMs: 10 },
  registerProvenPerAddress: { burst: 10_000, refillMs: 10 },
  registerPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAddress: { burst: 10_000, refillMs: 10 },
  loginProvenPerAddress: { burst: 10_000, refillMs: 10 },
  loginProvenInAll: { burst: 10_000, refillMs: 10 },
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
  mailProvenPerAddress: { burst: 10_000, refillMs: 10 },
  mailProvenInAll: { burst: 10_000, refillMs: 10 },
};

/**
 * Limits the attempts of a network address. Players who share it get through after one of them has
 * used it up: each further attempt costs a proof of work, under a limit of its own.
 */
export interface AddressLimiter {
  /** `isProven`: with a proof of work. The value gives the attempt back. */
  tryAcquire(
    address: string,
    isProven: boolean,
  ): Promise<Result<() => Promise<void>, "work_required" | "too_many_requests">>;
}

/** `inAll` bounds the attempts with a proof of all addresses together. */
export function makeAddressLimiter(
  free: SharedRateLimiter,
  proven: SharedRateLimiter,
  inAll?: SharedRateLimiter,
): AddressLimiter {
  return {
    async tryAcquire(address, isProven) {
      if (await free.tryAcquire(address)) return ok(() => free.giveBackToken(address));
      if (!isProven) return refuse("work_required");
      const isWithin = (await proven.tryAcquire(address)) && ((await inAll?.tryAcquire("all")) ?? true);
      // A proof works once, so its attempt counts in any case.
      return isWithin ? ok(async () => undefined) : refuse("too_many_requests");
    },
  };
}

export interface AccountRateLimiters {
  readonly registrations: AddressLimiter;
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
  readonly mailsFromAddress: AddressLimiter;
}

export function openAccountRateLimiters(open: OpenRateLimiter, limits: AccountRateLimits): AccountRateLimiters {
  return {
    registrations: makeAddressLimiter(
      open("registrations", limits.registerPerAddress),
      open("provenRegistrations", limits.registerProvenPerAddress),
    ),
    thirdPartyNotices: open("thirdPartyNotices", limits.registerPerAccount),
    confirmations: open("confirmations", limits.loginPerAccount),
    codes: open("codes", limits.codePerAccount),
    mailsToPlayer: open("mailsToPlayer", limits.mailPerAccount),
    resets: open("resets", limits.resetPerAccount),
    unverifiedResets: open("unverifiedResets", limits.resetPerAccount),
    emailChanges: open("emailChanges", limits.changePerEmail),
    verifications: open("verifications", limits.verificationPerEmail),
    unverifiedNotices: open("unverifiedNotices", limits.noticesPerUnverifiedEmail),
    mailsFromAddress: makeAddressLimiter(
      open("mailsFromAddress", limits.mailPerAddress),
      open("provenMails", limits.mailProvenPerAddress),
      open("provenMailsInAll", limits.mailProvenInAll),
    ),
  };
}
