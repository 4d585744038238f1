import { randomUUID } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { makeRateLimiter, type RateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { queueAccountNotice } from "../email/account-mails.ts";
import type { LinkOptions } from "../email/email-links.ts";
import { findAccountByEmail, lockAccount } from "../email/email-links-store.ts";
import { queueVerificationMail, verifyByLink } from "../email/verification.ts";
import type { HashingQueue } from "../password/hashing-queue.ts";
import { hashPassword } from "../password/password-hash.ts";
import type { AccountRateLimits } from "../rate-limits.ts";
import type { Visitor } from "../sessions/visitor.ts";
import { isUsernameTaken, lockRegistration, saveAccount } from "../store.ts";
import { writeRegistrationBlockMail } from "./registration-block-mail.ts";
import type { RegistrationBlocks } from "./registration-blocks.ts";
import { type FormRefusal, parseRegistration, type RegistrationForm } from "./registration-form.ts";

export type RegisterRefusal = FormRefusal | "too_many_requests" | "username_taken";

/** Registration and email verification. */
export interface Registration {
  /**
   * Creates the account, its wallet and the verification mail in one transaction, without a session
   * (specification 2). If the address has an account or is blocked, its owner is mailed instead,
   * with the same answer (ruling 24). Refusals in the order of `RegisterRefusal`.
   */
  register(form: RegistrationForm, visitor: Visitor): Promise<Result<null, RegisterRefusal>>;
  /**
   * Verifies the address that this token was mailed to, or makes it the account's; the latter ends
   * all sessions except the caller's. See `verifyByLink` for the refusals.
   */
  verifyEmail(token: string, cookie?: string): Promise<Result<null, "unusable_link" | "link_login_required">>;
  /**
   * Mails a new link and voids the previous one. A verified address gets none, with the same
   * answer.
   */
  resendVerification(playerId: PlayerId, visitor: Visitor): Promise<Result<null, "too_many_requests">>;
}

export interface RegistrationOptions {
  readonly database: Database;
  readonly time: Time;
  /** The clock of limits and self-exclusions. */
  readonly tableTime: Time;
  readonly registrationBlocks: Pick<RegistrationBlocks, "find" | "recordGivenUpEmail" | "record" | "toKey">;
  readonly links: LinkOptions;
  readonly rateLimits: AccountRateLimits;
  /** Limits notices to third parties, by player id or registration block key. */
  readonly reminders: RateLimiter;
  readonly mailsToAccounts: RateLimiter;
  readonly mailsFromAddresses: RateLimiter;
  readonly hashingQueue: HashingQueue;
  /** See `AccountsOptions.onPlayerCreated`. */
  readonly onPlayerCreated: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  /** The token of a correctly signed session cookie; null if there is none. */
  readonly readToken: (cookie: string | undefined) => string | null;
  readonly onSessionsEnded: (playerId: PlayerId) => void;
}

export function openRegistration(options: RegistrationOptions): Registration {
  const { database, time, tableTime, registrationBlocks, links, reminders, mailsToAccounts, mailsFromAddresses } =
    options;
  const { hashingQueue } = options;
  const registrations = makeRateLimiter(time, options.rateLimits.registerPerAddress);

  return {
    async register(form, visitor) {
      const parsed = parseRegistration(form);
      if (!parsed.ok) return parsed;
      const { username, email, password } = parsed.value;
      if (!registrations.tryAcquire(visitor.address)) return refuse("too_many_requests");
      const hashed = await hashingQueue(() => hashPassword(password));
      if (!hashed.ok) return hashed;
      const id = randomUUID() as PlayerId;
      return await transact(database, async (tx) => {
        await lockRegistration(tx);
        if (await isUsernameTaken(tx, username)) return refuse("username_taken");
        const at = time.now();
        const owner = await findAccountByEmail(tx, email);
        if (owner !== null) {
          if (reminders.tryAcquire(owner.playerId))
            await queueAccountNotice(tx, owner, { type: "known_address" }, at, links);
          return ok(null);
        }
        // After the account lookup: an account removed concurrently was either found or has blocked
        // its address by now.
        const hold = await registrationBlocks.find(tx, email, null, tableTime.now());
        if (hold !== null) {
          const { publicUrl, queueMail } = links;
          if (reminders.tryAcquire(registrationBlocks.toKey(email)))
            await queueMail(tx, writeRegistrationBlockMail({ email, hold, publicUrl, at }));
          return ok(null);
        }
        await saveAccount(tx, { id, username, email, emailVerified: false, passwordHash: hashed.value }, at);
        await options.onPlayerCreated(tx, id, at);
        await queueVerificationMail(tx, { playerId: id, username, email }, at, links);
        return ok(null);
      });
    },

    async verifyEmail(token, cookie) {
      const kept = options.readToken(cookie);
      const moving = { keptToken: kept, registrationBlocks, now: tableTime.now() };
      const verified = await transact(database, (tx) => verifyByLink(tx, token, moving, time.now(), links));
      if (!verified.ok) return verified;
      if (verified.value.isEmailChanged) options.onSessionsEnded(verified.value.playerId);
      return ok(null);
    },

    async resendVerification(playerId, visitor) {
      if (!mailsToAccounts.tryAcquire(playerId) || !mailsFromAddresses.tryAcquire(visitor.address)) {
        return refuse("too_many_requests");
      }
      await transact(database, async (tx) => {
        const holder = await lockAccount(tx, playerId);
        assert(holder !== null, `player ${playerId} has no account`);
        if (!holder.isVerified) await queueVerificationMail(tx, holder, time.now(), links);
      });
      return ok(null);
    },
  };
}
