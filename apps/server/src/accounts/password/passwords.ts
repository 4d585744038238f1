import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { transact } from "../../platform/database/transaction.ts";
import { sleep } from "../../platform/runtime.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import { findAccountByEmail, lockAccount } from "../email/email-links-store.ts";
import { normalizeEmail, parseEmail } from "../registration/registration-form.ts";
import {
  confirmPassword,
  type LockConfirmed,
  lockConfirmed,
  type PasswordConfirmationRefusal,
} from "./confirmation.ts";
import { applyNewPassword } from "./new-password.ts";
import { hashPassword } from "./password-hash.ts";
import { applyReset, isResetLinkUsable, queueResetMail } from "./password-reset.ts";
import { checkPasswordRules, type PasswordRefusal } from "./password-rules.ts";

interface PasswordOrder {
  readonly playerId: PlayerId;
  readonly token: string;
  readonly password: string;
  readonly newPassword: string;
  /** Of the device, which stays known. */
  readonly cookie?: string | undefined;
}

interface ResetForm {
  readonly token: string;
  readonly password: string;
}

export interface Passwords {
  /**
   * Confirms the password of a logged-in player before a sensitive action. Guesses are limited
   * separately from logins.
   */
  confirmPassword(playerId: PlayerId, password: string): Promise<Result<LockConfirmed, PasswordConfirmationRefusal>>;
  /** Ends the other sessions. Refuses in order: the new password, the confirmation. */
  changePassword(order: PasswordOrder): Promise<Result<null, PasswordRefusal | PasswordConfirmationRefusal>>;
  /**
   * Mails a reset link, valid for ten minutes. Neither the answer nor its timing reveals whether
   * the address has an account, or got a link a moment ago.
   */
  sendResetLink(
    email: string,
    client: Pick<Client, "address">,
  ): Promise<Result<null, "missing_email" | "bad_email" | "too_many_requests">>;
  /**
   * Sets a password by a reset link, once, and ends all sessions. Others' guesses do not throttle
   * the device from then on. Returns its cookie if it had none.
   */
  resetPassword(
    form: ResetForm,
    client: Pick<Client, "address" | "cookie">,
  ): Promise<Result<readonly string[], PasswordRefusal | "unusable_reset_link" | "too_many_requests">>;
}

/** Longer than queueing a mail takes, so that timing reveals nothing. */
const RESET_ANSWER_MS = 250;

export function openPasswords(deps: AccountPartDeps): Passwords {
  const { database, time, rateLimiters, hashing } = deps;

  async function queueReset(email: string): Promise<void> {
    await transact(database, async (tx) => {
      const found = await findAccountByEmail(tx, email);
      const account = found === null ? null : await lockAccount(tx, found.playerId);
      if (account !== null && account.email === email) await queueResetMail(tx, account, time.now(), deps);
    });
  }

  return {
    async confirmPassword(playerId, password) {
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      return ok(async (tx) => (await lockConfirmed(tx, playerId, confirmed.value)) !== null);
    },

    async changePassword({ playerId, token, password, newPassword, cookie }) {
      const fault = checkPasswordRules(newPassword);
      if (fault !== null) return refuse(fault);
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      const hashed = await hashing.ofKnown.run(playerId, () => hashPassword(newPassword));
      if (!hashed.ok) return hashed;
      const changed = await transact(database, async (tx): Promise<Result<null, "wrong_password">> => {
        const account = await lockConfirmed(tx, playerId, confirmed.value);
        if (account === null) return refuse("wrong_password");
        const deviceHash = deps.devices.readHash(cookie);
        const change = { account, passwordHash: hashed.value, keptToken: token, deviceHash, at: time.now() };
        await applyNewPassword(tx, change, deps);
        return ok(null);
      });
      if (changed.ok) deps.onSessionsEnded(playerId);
      return changed;
    },

    async sendResetLink(text, { address }) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const email = parseEmail(text);
      if (email === null) return refuse("bad_email");
      if (!(await rateLimiters.mailsFromAddress.tryAcquire(address))) return refuse("too_many_requests");
      const answering = sleep(RESET_ANSWER_MS);
      // Above the limit the newest mailed link is still valid.
      if (await rateLimiters.resets.tryAcquire(email)) await queueReset(email);
      await answering;
      return ok(null);
    },

    async resetPassword({ token, password }, { address, cookie }) {
      const fault = checkPasswordRules(password);
      if (fault !== null) return refuse(fault);
      // Checked first, so that forged links cause no hashing.
      if (!(await isResetLinkUsable(database.kysely, token, time.now()))) return refuse("unusable_reset_link");
      const hashed = await hashing.ofKnown.run(address, () => hashPassword(password));
      if (!hashed.ok) return hashed;
      const knownHash = deps.devices.readHash(cookie);
      const issued = knownHash === null ? deps.devices.issue() : null;
      const deviceHash = knownHash ?? issued!.hash;
      const reset = await transact(database, (tx) =>
        applyReset(tx, token, { passwordHash: hashed.value, deviceHash }, deps),
      );
      if (!reset.ok) return reset;
      deps.loginThrottle.addKnownAddress(reset.value.email, address);
      deps.onSessionsEnded(reset.value.playerId);
      return ok(issued === null ? [] : [issued.setCookie]);
    },
  };
}
