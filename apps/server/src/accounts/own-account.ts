import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { type AskOptions, askNewEmail } from "./email-change.ts";
import { type EmailHolder, findEmailHolder, lockEmailHolder } from "./email-links-store.ts";
import type { KnownPlaces } from "./known-places.ts";
import { isResetOpen, mailReset, resetByLink, takeNewPassword } from "./new-password.ts";
import { findPasswordFault, normalizeEmail, type PasswordRefusal, parseEmail } from "./registration.ts";
import { loadSessions, removeSessionById, removeSessions, type SessionRecord } from "./sessions-store.ts";
import { loadPasswordHash } from "./store.ts";

export type { SessionRecord } from "./sessions-store.ts";

/** Who asks, and under which session they do. */
interface Holder {
  readonly playerId: PlayerId;
  /** Names the session that goes on. */
  readonly token: string;
}

export interface PasswordOrder extends Holder {
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

type Asker = { readonly address: string };
type Confirmation = "too_many_requests" | "wrong_password";

/** What players do to their own account: its password, its address, its sessions. */
export interface OwnAccount {
  /**
   * Mails the owner of an address a link for a new password, for ten minutes. Whether anybody has the address is told by nothing: not the
   * answer, nor when it comes. Refusals in order: `missing_email`, `bad_email`, `too_many_requests`.
   */
  sendResetLink(
    email: string,
    visitor: Asker,
  ): Promise<Result<null, "missing_email" | "bad_email" | "too_many_requests">>;
  /**
   * Takes a new password by such a link, once; all sessions end. Whoever did is known where they are from then on: others' guesses do not
   * keep them out. Refusals in order: the password's, `unusable_reset_link`, `too_many_requests`.
   */
  resetPassword(
    form: ResetForm,
    visitor: Asker,
  ): Promise<Result<null, PasswordRefusal | "unusable_reset_link" | "too_many_requests">>;
  /** Takes a new password from who knows the present one; the other sessions end. Refusals: the new password's, then the confirmation's. */
  changePassword(order: PasswordOrder): Promise<Result<null, PasswordRefusal | Confirmation>>;
  /**
   * Mails a new address the link that makes it the account's, and the old one that this was asked for. The same answer where the address
   * belongs to somebody else, who is mailed instead. Refusals in order: `missing_email`, `bad_email`, the confirmation's,
   * `email_unchanged`.
   */
  askNewEmail(
    order: EmailOrder,
    visitor: Asker,
  ): Promise<Result<null, "missing_email" | "bad_email" | "email_unchanged" | Confirmation>>;
  /** The player's live sessions, the one in use first. */
  listSessions(holder: Holder): Promise<readonly SessionRecord[]>;
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
  readonly tellSessionsEnded: (playerId: PlayerId) => void;
  /** The hash that this password of a player fits; null where it is not theirs. Guesses are counted. */
  readonly findFittingHash: (
    playerId: PlayerId,
    password: string,
  ) => Promise<Result<string | null, "too_many_requests">>;
  readonly hashNewPassword: (password: string) => Promise<Result<string, "too_many_requests">>;
  /** Counts a mail to an address that a player wants; false where there were too many, by them, from there or to it. */
  readonly takeChange: (visitor: Asker, playerId: PlayerId, email: string) => boolean;
  /** Counts a link for a new password; false where there were too many to this address or from there. */
  readonly takeReset: (visitor: Asker, email: string) => boolean;
  readonly knownPlaces: Pick<KnownPlaces, "add">;
  readonly mayRemind: AskOptions["mayRemind"];
  readonly mailboxes: AskOptions["mailboxes"];
}

/** Longer than writing a mail takes on a machine that is not overloaded, so that the answer comes when this has passed. */
const RESET_ANSWER_MS = 250;

export function openOwnAccount(options: OwnAccountOptions): OwnAccount {
  const { database, time, publicUrl, queueMail, tellSessionsEnded, findFittingHash, hashNewPassword } = options;
  const links = { publicUrl, queueMail };

  async function confirm(playerId: PlayerId, password: string): Promise<Result<string, Confirmation>> {
    const fitting = await findFittingHash(playerId, password);
    if (!fitting.ok) return fitting;
    return fitting.value === null ? refuse("wrong_password") : ok(fitting.value);
  }

  /** The account, locked; null where its password is another by now than the one that was asked for a moment ago. */
  async function lockConfirmed(tx: Tx, playerId: PlayerId, hash: string): Promise<EmailHolder | null> {
    const holder = await lockEmailHolder(tx, playerId);
    assert(holder !== null, `player ${playerId} has no account`);
    return (await loadPasswordHash(tx, playerId)) === hash ? holder : null;
  }

  return {
    async sendResetLink(text, visitor) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const email = parseEmail(text);
      if (email === null) return refuse("bad_email");
      if (!options.takeReset(visitor, email)) return refuse("too_many_requests");
      const answering = sleep(RESET_ANSWER_MS);
      await transact(database, async (tx) => {
        const found = await findEmailHolder(tx, email);
        const holder = found === null ? null : await lockEmailHolder(tx, found.playerId);
        if (holder !== null && holder.email === email) await mailReset(tx, holder, time.now(), links);
      });
      await answering;
      return ok(null);
    },

    async resetPassword({ token, password }, visitor) {
      const fault = findPasswordFault(password);
      if (fault !== null) return refuse(fault);
      // A forged link costs nobody the work of hashing.
      if (!(await isResetOpen(database.kysely, token, time.now()))) return refuse("unusable_reset_link");
      const hashed = await hashNewPassword(password);
      if (!hashed.ok) return hashed;
      const reset = await transact(database, (tx) => resetByLink(tx, token, hashed.value, time.now(), links));
      if (!reset.ok) return reset;
      options.knownPlaces.add(reset.value.email, visitor.address);
      tellSessionsEnded(reset.value.playerId);
      return ok(null);
    },

    async changePassword({ playerId, token, password, newPassword }) {
      const fault = findPasswordFault(newPassword);
      if (fault !== null) return refuse(fault);
      const confirmed = await confirm(playerId, password);
      if (!confirmed.ok) return confirmed;
      const hashed = await hashNewPassword(newPassword);
      if (!hashed.ok) return hashed;
      const changed = await transact(database, async (tx): Promise<Result<null, "wrong_password">> => {
        const holder = await lockConfirmed(tx, playerId, confirmed.value);
        if (holder === null) return refuse("wrong_password");
        const taken = { holder, passwordHash: hashed.value, keptToken: token, at: time.now() };
        await takeNewPassword(tx, taken, links);
        return ok(null);
      });
      if (changed.ok) tellSessionsEnded(playerId);
      return changed;
    },

    async askNewEmail({ playerId, password, email: text }, visitor) {
      if (normalizeEmail(text) === "") return refuse("missing_email");
      const newEmail = parseEmail(text);
      if (newEmail === null) return refuse("bad_email");
      const confirmed = await confirm(playerId, password);
      if (!confirmed.ok) return confirmed;
      if (!options.takeChange(visitor, playerId, newEmail)) return refuse("too_many_requests");
      return await transact(database, async (tx) => {
        const holder = await lockConfirmed(tx, playerId, confirmed.value);
        if (holder === null) return refuse("wrong_password");
        if (holder.email === newEmail) return refuse("email_unchanged");
        const { mailboxes, mayRemind, tableTime } = options;
        const asking = { ...links, mailboxes, mayRemind, now: tableTime.now() };
        await askNewEmail(tx, { holder, newEmail, at: time.now() }, asking);
        return ok(null);
      });
    },

    async listSessions({ playerId, token }) {
      return await loadSessions(database.kysely, playerId, token, time.now());
    },

    async endSession(playerId, id) {
      await removeSessionById(database.kysely, playerId, id);
      tellSessionsEnded(playerId);
    },

    async endAllSessions(playerId) {
      await removeSessions(database.kysely, playerId, null);
      tellSessionsEnded(playerId);
    },
  };
}
