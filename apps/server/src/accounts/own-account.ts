import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Time } from "../platform/time/time.ts";
import { type EmailChangeRequestOptions, requestEmailChange } from "./email/email-change.ts";
import { type AccountEmail, findAccountByEmail, lockAccount } from "./email/email-links-store.ts";
import { applyNewPassword, applyReset, isResetLinkUsable, queueResetMail } from "./password/password-reset.ts";
import {
  checkPasswordRules,
  normalizeEmail,
  type PasswordRefusal,
  parseEmail,
} from "./registration/registration-form.ts";
import type { KnownAddresses } from "./sessions/known-addresses.ts";
import { loadSessions, removeSessionById, removeSessions, type SessionRecord } from "./sessions/sessions-store.ts";
import { loadPasswordHash } from "./store.ts";

export type { SessionRecord } from "./sessions/sessions-store.ts";

interface SessionOwner {
  readonly playerId: PlayerId;
  /** The session to keep. */
  readonly token: string;
}

export interface PasswordOrder extends SessionOwner {
  /** The current one. */
  readonly password: string;
  readonly newPassword: string;
}

export interface EmailOrder {
  readonly playerId: PlayerId;
  /** The current one. */
  readonly password: string;
  readonly email: string;
}

export interface ResetForm {
  readonly token: string;
  readonly password: string;
}

type Requester = { readonly address: string };
type Confirmation = "too_many_requests" | "wrong_password";

/** Changes by players to their own account: password, address, sessions. */
export interface OwnAccount {
  /**
   * Mails a reset link, valid for ten minutes. Neither the answer nor its timing reveals whether
   * the address has an account. Refusals in order: `missing_email`, `bad_email`,
   * `too_many_requests`.
   */
  sendResetLink(
    email: string,
    visitor: Requester,
  ): Promise<Result<null, "missing_email" | "bad_email" | "too_many_requests">>;
  /**
   * Sets a password by a reset link, once, and ends all sessions. The network address becomes
   * known: others' guesses do not throttle it. Refusals in order: the password's,
   * `unusable_reset_link`, `too_many_requests`.
   */
  resetPassword(
    form: ResetForm,
    visitor: Requester,
  ): Promise<Result<null, PasswordRefusal | "unusable_reset_link" | "too_many_requests">>;
  /**
   * Changes the password and ends other sessions. Refusals in order: the new password's, the
   * confirmation's.
   */
  changePassword(order: PasswordOrder): Promise<Result<null, PasswordRefusal | Confirmation>>;
  /**
   * Mails a link to the new address and a notice to the old one. An address of another account gets
   * the same answer, and its owner a notice. Refusals in order: `missing_email`, `bad_email`, the
   * confirmation's, `email_unchanged`.
   */
  requestEmailChange(
    order: EmailOrder,
    visitor: Requester,
  ): Promise<Result<null, "missing_email" | "bad_email" | "email_unchanged" | Confirmation>>;
  /** Live sessions, the current one first. */
  listSessions(holder: SessionOwner): Promise<readonly SessionRecord[]>;
  /** Ends a session of the player; no effect if it has ended. */
  endSession(playerId: PlayerId, id: string): Promise<void>;
  endAllSessions(playerId: PlayerId): Promise<void>;
}

export interface OwnAccountOptions {
  readonly database: Database;
  readonly time: Time;
  /** The clock of limits and self-exclusions. */
  readonly tableTime: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly onSessionsEnded: (playerId: PlayerId) => void;
  /** The stored hash if the password matches it, else null. Limits guesses. */
  readonly findFittingHash: (
    playerId: PlayerId,
    password: string,
  ) => Promise<Result<string | null, "too_many_requests">>;
  readonly hashNewPassword: (password: string) => Promise<Result<string, "too_many_requests">>;
  /** Limits by network address, player and new address. */
  readonly tryAcquireEmailChange: (visitor: Requester, playerId: PlayerId, email: string) => boolean;
  /** Limits by network and email address. */
  readonly tryAcquireReset: (visitor: Requester, email: string) => boolean;
  readonly knownAddresses: Pick<KnownAddresses, "add">;
  readonly mayNotify: EmailChangeRequestOptions["mayNotify"];
  readonly registrationBlocks: EmailChangeRequestOptions["registrationBlocks"];
}

/** Longer than queueing a mail takes, so that timing reveals nothing. */
const RESET_ANSWER_MS = 250;

export function openOwnAccount(options: OwnAccountOptions): OwnAccount {
  const { database, time, publicUrl, queueMail, onSessionsEnded, findFittingHash, hashNewPassword } = options;
  const links = { publicUrl, queueMail };

  async function confirm(playerId: PlayerId, password: string): Promise<Result<string, Confirmation>> {
    const fitting = await findFittingHash(playerId, password);
    if (!fitting.ok) return fitting;
    return fitting.value === null ? refuse("wrong_password") : ok(fitting.value);
  }

  /** Locks the account; null if its password changed since the confirmation. */
  async function lockConfirmed(tx: Tx, playerId: PlayerId, hash: string): Promise<AccountEmail | null> {
    const holder = await lockAccount(tx, playerId);
    assert(holder !== null, `player ${playerId} has no account`);
    return (await loadPasswordHash(tx, playerId)) === hash ? holder : null;
  }

  return {
    async sendResetLink(text, visitor) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const email = parseEmail(text);
      if (email === null) return refuse("bad_email");
      if (!options.tryAcquireReset(visitor, email)) return refuse("too_many_requests");
      const answering = sleep(RESET_ANSWER_MS);
      await transact(database, async (tx) => {
        const found = await findAccountByEmail(tx, email);
        const holder = found === null ? null : await lockAccount(tx, found.playerId);
        if (holder !== null && holder.email === email) await queueResetMail(tx, holder, time.now(), links);
      });
      await answering;
      return ok(null);
    },

    async resetPassword({ token, password }, visitor) {
      const fault = checkPasswordRules(password);
      if (fault !== null) return refuse(fault);
      // Checked first, so that forged links cause no hashing.
      if (!(await isResetLinkUsable(database.kysely, token, time.now()))) return refuse("unusable_reset_link");
      const hashed = await hashNewPassword(password);
      if (!hashed.ok) return hashed;
      const reset = await transact(database, (tx) => applyReset(tx, token, hashed.value, time.now(), links));
      if (!reset.ok) return reset;
      options.knownAddresses.add(reset.value.email, visitor.address);
      onSessionsEnded(reset.value.playerId);
      return ok(null);
    },

    async changePassword({ playerId, token, password, newPassword }) {
      const fault = checkPasswordRules(newPassword);
      if (fault !== null) return refuse(fault);
      const confirmed = await confirm(playerId, password);
      if (!confirmed.ok) return confirmed;
      const hashed = await hashNewPassword(newPassword);
      if (!hashed.ok) return hashed;
      const changed = await transact(database, async (tx): Promise<Result<null, "wrong_password">> => {
        const holder = await lockConfirmed(tx, playerId, confirmed.value);
        if (holder === null) return refuse("wrong_password");
        const change = { account: holder, passwordHash: hashed.value, keptToken: token, at: time.now() };
        await applyNewPassword(tx, change, links);
        return ok(null);
      });
      if (changed.ok) onSessionsEnded(playerId);
      return changed;
    },

    async requestEmailChange({ playerId, password, email: text }, visitor) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const newEmail = parseEmail(text);
      if (newEmail === null) return refuse("bad_email");
      const confirmed = await confirm(playerId, password);
      if (!confirmed.ok) return confirmed;
      if (!options.tryAcquireEmailChange(visitor, playerId, newEmail)) return refuse("too_many_requests");
      return await transact(database, async (tx) => {
        const holder = await lockConfirmed(tx, playerId, confirmed.value);
        if (holder === null) return refuse("wrong_password");
        if (holder.email === newEmail) return refuse("email_unchanged");
        const { registrationBlocks, mayNotify, tableTime } = options;
        const asking = { ...links, registrationBlocks, mayNotify, now: tableTime.now() };
        await requestEmailChange(tx, { account: holder, newEmail, at: time.now() }, asking);
        return ok(null);
      });
    },

    async listSessions({ playerId, token }) {
      return await loadSessions(database.kysely, playerId, token, time.now());
    },

    async endSession(playerId, id) {
      await removeSessionById(database.kysely, playerId, id);
      onSessionsEnded(playerId);
    },

    async endAllSessions(playerId) {
      await removeSessions(database.kysely, playerId, null);
      onSessionsEnded(playerId);
    },
  };
}
