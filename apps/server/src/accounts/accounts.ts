import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ExclusionTerm } from "@holo/protocol/limit-views.ts";
import type { Database, Queries, Tx } from "../platform/database.ts";
import { makeLimit } from "../platform/limit.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import { hashPassword, isPassword } from "../platform/password.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { parseSessionToken, toCookieName } from "./cookie.ts";
import { loadEmailVerified, lockEmailHolder, removeEndedLinks } from "./email-links-store.ts";
import { openEngine } from "./engine.ts";
import { type Enrolment, openEnrolment } from "./enrolment.ts";
import { makeHashingInTurn } from "./hashing.ts";
import { makeKnownPlaces } from "./known-places.ts";
import { removeIdentity } from "./leaving-store.ts";
import { type Mailboxes, openMailboxes } from "./mailboxes.ts";
import { removeEndedHolds } from "./mailboxes-store.ts";
import { type OwnAccount, openOwnAccount } from "./own-account.ts";
import { excludeSelf, type LimitWishes, loadOwnLimits, type OwnLimits, updateLimits } from "./permits.ts";
import type { AccountRates } from "./rates.ts";
import { type Relation, type RelationRefusal, updateRelation, type Wishes } from "./relations.ts";
import { openSessions, type Sessions } from "./sessions.ts";
import { removeEndedSessions } from "./sessions-store.ts";
import {
  loadPasswordHash,
  loadPlayers,
  loadPlayersNamed,
  loadProfile,
  loadTakebacksEnabled,
  type OwnPlayer,
  type Player,
  type Profile,
  type Settings,
  saveSettings,
} from "./store.ts";

export { saveClosing } from "./closing-store.ts";
export { toDevice } from "./device.ts";
export { findEmailHolder, lockEmailHolder } from "./email-links-store.ts";
export {
  type FoundPlayer,
  findAccount,
  loadBlocked,
  loadMaintenance,
  removeBlock,
  saveBlock,
  saveMaintenance,
  searchAccounts,
} from "./house-store.ts";
export { hasLeft, loadLeft } from "./leaving-store.ts";
export { type DepositLeft, findDepositLeft } from "./limits.ts";
export { loadBreaks, lockLimits } from "./limits-store.ts";
export { loadHashes } from "./mailboxes-store.ts";
export type { SessionRecord } from "./own-account.ts";
export type { LimitWishes, OwnLimits, PermitRefusal } from "./permits.ts";
export {
  checkExcluded,
  checkSeat,
  findDepositPassed,
  findExcluded,
  loadOwnLimits,
  toBarredRefusal,
  toDepositRefusal,
  toSeatRefusal,
} from "./permits.ts";
export { DEVELOPMENT_RATES, PRODUCTION_RATES } from "./rates.ts";
export { parseEmail } from "./registration.ts";
export type { Relation, RelationRefusal, Wishes } from "./relations.ts";
export { findBlockedWith, loadRelation } from "./relations.ts";
export { loadRelations } from "./relations-store.ts";
export {
  loadAdmins,
  loadOwner,
  loadRole,
  loadRoles,
  lockAdmins,
  type Role,
  removeAdmin,
  saveAdmin,
  saveOwner,
} from "./roles-store.ts";
export type { OwnPlayer, Player, Profile, Session, Settings } from "./store.ts";
export type { Visitor } from "./visitor.ts";

/** What accounts say on the bus. */
export type AccountTopics = {
  /** Sessions of this player have ended: their connections are to be looked at. */
  sessions_ended: { readonly playerId: PlayerId };
};

export interface AccountsOptions {
  readonly database: Database;
  readonly time: Time;
  /** What limits and self-exclusions go by, as games and deposits do; left out, `time`. */
  readonly tableTime?: Time;
  readonly secret: string;
  readonly publicUrl: string;
  /** Whether the session's cookie is sent over TLS alone: production. */
  readonly secureCookies: boolean;
  readonly rates: AccountRates;
  /** What else comes into being with a player, in the same transaction: their wallet. */
  readonly welcome: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  /** Writes a mail in the transaction of what caused it, without waiting for any mail server. */
  readonly queueMail: QueueMail;
  /** Told once sessions of a player have ended other than by their time; left out, open sockets are found out within seconds. */
  readonly tellSessionsEnded?: (playerId: PlayerId) => void;
}

export interface ExclusionOrder {
  readonly playerId: PlayerId;
  readonly term: ExclusionTerm;
  readonly password: string;
}

export type ExclusionRefusal = "too_many_requests" | "wrong_password";

export interface Accounts extends Enrolment, Sessions, OwnAccount {
  readonly mailboxes: Pick<Mailboxes, "hold" | "findHolders">;
  /**
   * Deletes what is kept of people and not needed any more: sessions that ran out, with where they came from; links a month after they ran out,
   * with the addresses they went to; and what mailboxes were known again by, where nothing is held by it.
   */
  forget(): Promise<void>;
  /**
   * Removes who a player is (see `removeIdentity`); what they are barred from goes on holding for their mailbox. The caller has looked that
   * nothing of theirs is open, and locked it.
   */
  removePlayer(tx: Tx, playerId: PlayerId): Promise<void>;
  /**
   * Whether this is the password of a player who is logged in, asked again before something that matters. Guesses are counted apart from
   * those of logging in. Refusals: `too_many_requests`.
   */
  checkPassword(playerId: PlayerId, password: string): Promise<Result<boolean, "too_many_requests">>;
  updateSettings(playerId: PlayerId, settings: Settings): Promise<OwnPlayer>;
  /** Changes what a player asks for about another. Refusals in the order of `RelationRefusal`. */
  updateRelation(playerId: PlayerId, otherId: PlayerId, wishes: Wishes): Promise<Result<Relation, RelationRefusal>>;
  /** Changes the limits named, all or none: lower at once, higher or none a day later. Refusals: `bad_limit`. */
  updateLimits(playerId: PlayerId, wishes: LimitWishes): Promise<Result<OwnLimits, "bad_limit">>;
  /**
   * Excludes a player from deposits and new games for a term that nothing shortens, after their password (ruling 27). Their waiting game is
   * the arena's to cancel: nobody can join it any more. Refusals in the order of `ExclusionRefusal`.
   */
  excludeSelf(order: ExclusionOrder): Promise<Result<OwnLimits, ExclusionRefusal>>;
}

/** The public face of these players by their ids; unknown ones are left out. */
export async function findPlayers(queries: Queries, ids: readonly PlayerId[]): Promise<ReadonlyMap<PlayerId, Player>> {
  const players = await loadPlayers(queries, ids);
  return new Map(players.map((player) => [player.id, player]));
}

/** The player with when they registered; null where there is none. */
export async function findProfile(queries: Queries, id: PlayerId): Promise<Profile | null> {
  return await loadProfile(queries, id);
}

/** Whether the player has shown to read the address of their account: roles and money out hang on it (rulings 12 and 25). */
export async function isEmailVerified(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return await loadEmailVerified(queries, playerId);
}

/** The players whose name contains the text, without regard to case: at most 200, the first by name. */
export async function searchPlayers(queries: Queries, text: string): Promise<readonly PlayerId[]> {
  return await loadPlayersNamed(queries, text);
}

/** Whether this player may be asked to take a move back (ruling 18); who has no profile has refused nothing. */
export async function acceptsTakebacks(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadTakebacksEnabled(queries, playerId)) ?? true;
}

/** Who follows an old link again is told for so long what it did. */
const LINKS_KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

export function openAccounts(options: AccountsOptions): Accounts {
  const { database, time, tableTime = time, secret, publicUrl, secureCookies, rates, welcome, queueMail } = options;
  const tellSessionsEnded = options.tellSessionsEnded ?? (() => undefined);
  const links = { publicUrl, queueMail };
  const cookieName = toCookieName(secureCookies);
  const engine = openEngine({ database, secret, publicUrl, cookieName, secureCookies });
  const readToken = (cookie: string | undefined) => parseSessionToken(cookie, cookieName, secret);
  const reminders = makeLimit(time, rates.registerPerAccount);
  const confirmations = makeLimit(time, rates.loginPerAccount);
  const mailsToAccounts = makeLimit(time, rates.mailPerAccount);
  const resets = makeLimit(time, rates.resetPerAccount);
  const changes = makeLimit(time, rates.changePerAddress);
  const mailsFromAddresses = makeLimit(time, rates.mailPerAddress);
  const hashingInTurn = makeHashingInTurn();
  const mailboxes = openMailboxes(secret);
  const knownPlaces = makeKnownPlaces();

  /** The hash that the password was found to fit; null where it fits none. */
  async function findFittingHash(
    playerId: PlayerId,
    password: string,
  ): Promise<Result<string | null, "too_many_requests">> {
    if (!confirmations.take(playerId)) return refuse("too_many_requests");
    const hash = await loadPasswordHash(database.kysely, playerId);
    const checked = await hashingInTurn(() => isPassword(password, hash ?? ""));
    if (!checked.ok) return checked;
    if (checked.value) confirmations.giveBack(playerId);
    return ok(checked.value ? hash : null);
  }

  async function checkPassword(playerId: PlayerId, password: string): Promise<Result<boolean, "too_many_requests">> {
    const fitting = await findFittingHash(playerId, password);
    return fitting.ok ? ok(fitting.value !== null) : fitting;
  }

  return {
    mailboxes,

    async forget() {
      await removeEndedHolds(database.kysely, tableTime.now());
      await removeEndedSessions(database.kysely, time.now());
      await removeEndedLinks(database.kysely, addMs(time.now(), -LINKS_KEPT_MS));
    },

    async removePlayer(tx, playerId) {
      const holder = await lockEmailHolder(tx, playerId);
      assert(holder !== null, `player ${playerId} has no account`);
      await mailboxes.holdGivenUp(tx, playerId, holder.email, tableTime.now());
      await removeIdentity(tx, playerId, time.now());
    },

    ...openEnrolment({
      database,
      time,
      tableTime,
      mailboxes,
      links,
      rates,
      reminders,
      mailsToAccounts,
      mailsFromAddresses,
      hashingInTurn,
      welcome,
      readToken,
      tellSessionsEnded,
    }),

    ...openSessions({
      database,
      time,
      engine,
      cookieName,
      secureCookies,
      rates,
      knownPlaces,
      hashingInTurn,
      readToken,
      tellSessionsEnded,
    }),

    ...openOwnAccount({
      database,
      time,
      tableTime,
      mailboxes,
      ...links,
      tellSessionsEnded,
      findFittingHash,
      hashNewPassword: (password) => hashingInTurn(() => hashPassword(password)),
      takeChange: (visitor, playerId, email) =>
        mailsFromAddresses.take(visitor.address) && mailsToAccounts.take(playerId) && changes.take(email),
      takeReset: (visitor, email) => mailsFromAddresses.take(visitor.address) && resets.take(email),
      mayRemind: reminders.take,
      knownPlaces,
    }),

    checkPassword,

    async updateSettings(playerId, settings) {
      const player = await saveSettings(database.kysely, playerId, settings, time.now());
      assert(player !== null, `player ${playerId} has no profile`);
      return player;
    },

    async updateRelation(playerId, otherId, wishes) {
      return await transact(database, (tx) => updateRelation(tx, { playerId, otherId, wishes, at: time.now() }));
    },

    async updateLimits(playerId, wishes) {
      const updated = await transact(database, (tx) => updateLimits(tx, playerId, wishes, tableTime));
      return updated.ok ? ok(await loadOwnLimits(database.kysely, playerId, tableTime.now())) : updated;
    },

    async excludeSelf({ playerId, term, password }) {
      const checked = await checkPassword(playerId, password);
      if (!checked.ok) return checked;
      if (!checked.value) return refuse("wrong_password");
      await transact(database, async (tx) => {
        const now = tableTime.now();
        await excludeSelf(tx, playerId, term, now);
        await mailboxes.hold(tx, playerId, now);
      });
      return ok(await loadOwnLimits(database.kysely, playerId, tableTime.now()));
    },
  };
}
