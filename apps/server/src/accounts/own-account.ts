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

/** Who asks, and under which session they do. */
interface SessionOwner {
  readonly playerId: PlayerId;
  /** Names the session that goes on. */
  readonly token: string;
}

export interface PasswordOrder extends SessionOwner {
  /** The present one. */
  readonly password: string;
  readonly newPassword: string;
}

export interface EmailOrder {
  readonly playerId: PlayerId;
  /** The present one. */
  readonly password: string;
  readonly email: string;
}

export interface ResetForm {
  readonly token: string;
  readonly password: string;
}

type Requester = { readonly address: string };
type Confirmation = "too_many_requests" | "wrong_password";

/** What players do to their own account: its password, its address, its sessions. */
export interface OwnAccount {
  /**
   * Mails the owner of an address a link for a new password, for ten minutes. Whether anybody has the address is told by nothing: not the
   * answer, nor when it comes. Refusals in order: `missing_email`, `bad_email`, `too_many_requests`.
   */
  sendResetLink(
    email: string,
    visitor: Requester,
  ): Promise<Result<null, "missing_email" | "bad_email" | "too_many_requests">>;
  /**
   * Takes a new password by such a link, once; all sessions end. Whoever did is known where they are from then on: others' guesses do not
   * keep them out. Refusals in order: the password's, `unusable_reset_link`, `too_many_requests`.
   */
  resetPassword(
    form: ResetForm,
    visitor: Requester,
  ): Promise<Result<null, PasswordRefusal | "unusable_reset_link" | "too_many_requests">>;
  /** Takes a new password from who knows the present one; the other sessions end. Refusals: the new password's, then the confirmation's. */
  changePassword(order: PasswordOrder): Promise<Result<null, PasswordRefusal | Confirmation>>;
  /**
   * Mails a new address the link that makes it the account's, and the old one that this was asked for. The same answer where the address
   * belongs to somebody else, who is mailed instead. Refusals in order: `missing_email`, `bad_email`, the confirmation's,
   * `email_unchanged`.
   */
  requestEmailChange(
    order: EmailOrder,
    visitor: Requester,
  ): Promise<Result<null, "missing_email" | "bad_email" | "email_unchanged" | Confirmation>>;
  /** The player's live sessions, the one in use first. */
  listSessions(holder: SessionOwner): Promise<readonly SessionRecord[]>;
  /** Ends a session of the player by its id; where it has ended already that is no refusal. */
  endSession(playerId: PlayerId, id: string): Promise<void>;
  /** Ends every session of the player. */
  endAllSessions(playerId: PlayerId): Promise<void>;
}

export interface OwnAccountOptions {
  readonly database: Database;
  readonly time: Time;
  /** What limits and breaks go by. */
  readonly tableTime: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly onSessionsEnded: (playerId: PlayerId) => void;
  /** The hash that this password of a player fits; null where it is not theirs. Guesses are counted. */
  readonly findFittingHash: (
    playerId: PlayerId,
    password: string,
  ) => Promise<Result<string | null, "too_many_requests">>;
  readonly hashNewPassword: (password: string) => Promise<Result<string, "too_many_requests">>;
  /** Counts a mail to an address that a player wants; false where there were too many, by them, from there or to it. */
  readonly tryAcquireEmailChange: (visitor: Requester, playerId: PlayerId, email: string) => boolean;
  /** Counts a link for a new password; false where there were too many to this address or from there. */
  readonly tryAcquireReset: (visitor: Requester, email: string) => boolean;
  readonly knownAddresses: Pick<KnownAddresses, "add">;
  readonly mayNotify: EmailChangeRequestOptions["mayNotify"];
  readonly registrationBlocks: EmailChangeRequestOptions["registrationBlocks"];
}

/** Longer than writing a mail takes on a machine that is not overloaded, so that the answer comes when this has passed. */
const RESET_ANSWER_MS = 250;

export function openOwnAccount(options: OwnAccountOptions): OwnAccount {
  const { database, time, publicUrl, queueMail, onSessionsEnded, findFittingHash, hashNewPassword } = options;
  const links = { publicUrl, queueMail };

  async function confirm(playerId: PlayerId, password: string): Promise<Result<string, Confirmation>> {
    const fitting = await findFittingHash(playerId, password);
    if (!fitting.ok) return fitting;
    return fitting.value === null ? refuse("wrong_password") : ok(fitting.value);
  }

  /** The account, locked; null where its password is another by now than the one that was asked for a moment ago. */
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
      // A forged link costs nobody the work of hashing.
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
