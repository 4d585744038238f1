import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { confirmPassword, lockConfirmed, type PasswordConfirmationRefusal } from "../password/confirmation.ts";
import { normalizeEmail, parseEmail } from "../registration/registration-form.ts";
import { requestEmailChange } from "./email-change.ts";
import { lockAccount } from "./email-links-store.ts";
import { queueVerificationMail, verifyByLink } from "./verification.ts";

interface EmailOrder {
  readonly playerId: PlayerId;
  readonly password: string;
  readonly email: string;
}

type EmailChangeRefusal = "missing_email" | "bad_email" | PasswordConfirmationRefusal | "email_unchanged";

export interface Emails {
  /** In a session of the account: verifies its address, or changes it, which ends the others. */
  verifyEmail(token: string, cookie?: string): Promise<Result<null, "unusable_link" | "link_login_required">>;
  /**
   * Voids the previous link. A verified address, or one that got too many mails, gets none, with
   * the same answer.
   */
  resendVerification(playerId: PlayerId): Promise<Result<null, "too_many_requests">>;
  /**
   * Mails a link to the new address and a notice to the old one. An address of another account gets
   * the same answer, and its owner a notice. Refusals in the order of `EmailChangeRefusal`.
   */
  requestEmailChange(order: EmailOrder): Promise<Result<null, EmailChangeRefusal>>;
}

export function openEmails(deps: AccountPartDeps): Emails {
  const { database, time, rateLimiters, registrationBlocks } = deps;

  return {
    async verifyEmail(token, cookie) {
      const sessionToken = deps.sessionCookies.readToken(cookie);
      const verified = await transact(database, (tx) => verifyByLink(tx, token, sessionToken, deps));
      if (!verified.ok) return verified;
      if (verified.value.isEmailChanged) deps.onSessionsEnded(verified.value.playerId);
      return ok(null);
    },

    async resendVerification(playerId) {
      if (!(await rateLimiters.mailsToPlayer.tryAcquire(playerId))) return refuse("too_many_requests");
      await transact(database, async (tx) => {
        const account = await lockAccount(tx, playerId);
        assert(account !== null, `player ${playerId} has no account`);
        if (!account.isVerified) await queueVerificationMail(tx, account, time.now(), deps);
      });
      return ok(null);
    },

    async requestEmailChange({ playerId, password, email: text }) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const newEmail = parseEmail(text);
      if (newEmail === null) return refuse("bad_email");
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      if (!(await rateLimiters.mailsToPlayer.tryAcquire(playerId))) return refuse("too_many_requests");
      if (!(await rateLimiters.emailChanges.tryAcquire(registrationBlocks.toKey(newEmail))))
        return refuse("too_many_requests");
      return await transact(database, async (tx) => {
        const account = await lockConfirmed(tx, playerId, confirmed.value);
        if (account === null) return refuse("wrong_password");
        if (account.email === newEmail) return refuse("email_unchanged");
        await requestEmailChange(tx, { account, newEmail, at: time.now() }, deps);
        return ok(null);
      });
    },
  };
}
