import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ExclusionTerm } from "@holo/protocol/restrictions.ts";
import type { Database, Queries, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import { makeRateLimiter } from "../platform/rate-limiter.ts";
import type { Time } from "../platform/time/time.ts";
import { removeIdentity } from "./deletion/deletion-store.ts";
import { loadEmailVerified, lockAccount, removeEndedLinks } from "./email/email-links-store.ts";
import { type OwnAccount, openOwnAccount } from "./own-account.ts";
import { makeHashingQueue } from "./password/hashing-queue.ts";
import { hashPassword, isPassword } from "./password/password-hash.ts";
import type { AccountRateLimits } from "./rate-limits.ts";
import { openRegistration, type Registration } from "./registration/registration.ts";
import { openRegistrationBlocks, type RegistrationBlocks } from "./registration/registration-blocks.ts";
import { removeEndedRegistrationBlocks } from "./registration/registration-blocks-store.ts";
import { type Relation, type RelationChanges, type RelationRefusal, updateRelation } from "./relations/relations.ts";
import {
  excludeSelf,
  type LimitChanges,
  loadOwnLimits,
  type OwnLimits,
  updateLimits,
} from "./restrictions/restrictions.ts";
import { openAuthLibrary } from "./sessions/auth-library.ts";
import { makeKnownAddresses } from "./sessions/known-addresses.ts";
import { parseSessionToken, toCookieName } from "./sessions/session-cookie.ts";
import { openSessions, type Sessions } from "./sessions/sessions.ts";
import { removeEndedSessions } from "./sessions/sessions-store.ts";
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

export { isAccountDeleted, loadDeletedPlayers } from "./deletion/deletion-store.ts";
export { savePendingDeletion } from "./deletion/pending-deletion-store.ts";
export { findAccountByEmail, lockAccount } from "./email/email-links-store.ts";
export type { SessionRecord } from "./own-account.ts";
export { DEVELOPMENT_RATE_LIMITS, PRODUCTION_RATE_LIMITS } from "./rate-limits.ts";
export { loadRegistrationBlockHashes } from "./registration/registration-blocks-store.ts";
export { parseEmail } from "./registration/registration-form.ts";
export type { Relation, RelationChanges, RelationRefusal } from "./relations/relations.ts";
export { findBlockedWith, loadRelation } from "./relations/relations.ts";
export { loadRelations } from "./relations/relations-store.ts";
export { type DepositLeft, findDepositLeft } from "./restrictions/limits.ts";
export { loadSelfExclusions, lockLimits } from "./restrictions/limits-store.ts";
export type { LimitChanges, OwnLimits, RestrictionRefusal } from "./restrictions/restrictions.ts";
export {
  checkRestricted,
  checkSeat,
  findDepositRestriction,
  findExceededDepositLimit,
  findRestricted,
  findRestriction,
  findSeatRestriction,
  loadOwnLimits,
} from "./restrictions/restrictions.ts";
export {
  findPlayerRecord,
  loadBans,
  loadMaintenance,
  type PlayerRecord,
  removeBan,
  saveBan,
  saveMaintenance,
  searchPlayerRecords,
} from "./restrictions/restrictions-store.ts";
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
} from "./roles/roles-store.ts";
export { toDevice } from "./sessions/device.ts";
export type { Visitor } from "./sessions/visitor.ts";
export type { OwnPlayer, Player, Profile, Session, Settings } from "./store.ts";

/** Messages of this module on the bus. */
export type AccountTopics = {
  /** Sessions of this player have ended: re-check their connections. */
  sessions_ended: { readonly playerId: PlayerId };
};

export interface AccountsOptions {
  readonly database: Database;
  readonly time: Time;
  /** The clock of limits and self-exclusions, shared with games and deposits. Default: `time`. */
  readonly tableTime?: Time;
  readonly secret: string;
  readonly publicUrl: string;
  /** Sends the session cookie over TLS only: production. */
  readonly secureCookies: boolean;
  readonly rateLimits: AccountRateLimits;
  /** Creates what belongs to a new player in the same transaction: their wallet. */
  readonly onPlayerCreated: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  /** Writes a mail in the transaction that causes it, without waiting for a mail server. */
  readonly queueMail: QueueMail;
  /**
   * Called after sessions ended other than by expiry. Without it open sockets notice within
   * seconds.
   */
  readonly onSessionsEnded?: (playerId: PlayerId) => void;
}

export interface ExclusionOrder {
  readonly playerId: PlayerId;
  readonly term: ExclusionTerm;
  readonly password: string;
}

export type ExclusionRefusal = "too_many_requests" | "wrong_password";

export interface Accounts extends Registration, Sessions, OwnAccount {
  readonly registrationBlocks: Pick<RegistrationBlocks, "record" | "findPlayers">;
  /**
   * Deletes expired data: sessions, links a month after expiry, and registration blocks that no
   * longer apply.
   */
  removeExpiredData(): Promise<void>;
  /**
   * Erases a player's identity (see `removeIdentity`); restrictions continue to block their
   * address. The caller has locked the account and checked that no game or payment is open.
   */
  removePlayer(tx: Tx, playerId: PlayerId): Promise<void>;
  /**
   * Confirms the password of a logged-in player before a sensitive action. Guesses are limited
   * separately from logins. Refusals: `too_many_requests`.
   */
  checkPassword(playerId: PlayerId, password: string): Promise<Result<boolean, "too_many_requests">>;
  updateSettings(playerId: PlayerId, settings: Settings): Promise<OwnPlayer>;
  /** Changes what a player has muted or blocked. Refusals in the order of `RelationRefusal`. */
  updateRelation(
    playerId: PlayerId,
    otherId: PlayerId,
    changes: RelationChanges,
  ): Promise<Result<Relation, RelationRefusal>>;
  /**
   * Changes limits, all or none: lower at once, higher or none a day later. Refusals: `bad_limit`.
   */
  updateLimits(playerId: PlayerId, changes: LimitChanges): Promise<Result<OwnLimits, "bad_limit">>;
  /**
   * Excludes a player from deposits and new games for a fixed term after a password check (ruling
   * 27). The caller cancels their waiting game, which is closed to others already. Refusals in the
   * order of `ExclusionRefusal`.
   */
  excludeSelf(order: ExclusionOrder): Promise<Result<OwnLimits, ExclusionRefusal>>;
}

/** Unknown ids are omitted. */
export async function findPlayers(queries: Queries, ids: readonly PlayerId[]): Promise<ReadonlyMap<PlayerId, Player>> {
  const players = await loadPlayers(queries, ids);
  return new Map(players.map((player) => [player.id, player]));
}

export async function findProfile(queries: Queries, id: PlayerId): Promise<Profile | null> {
  return await loadProfile(queries, id);
}

/**
 * Whether the player has verified their address, which roles and withdrawals require (rulings 12
 * and 25).
 */
export async function isEmailVerified(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return await loadEmailVerified(queries, playerId);
}

export async function searchPlayers(queries: Queries, text: string): Promise<readonly PlayerId[]> {
  return await loadPlayersNamed(queries, text);
}

/** Whether the player accepts takeback offers (ruling 18). Default: yes. */
export async function acceptsTakebacks(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadTakebacksEnabled(queries, playerId)) ?? true;
}

/** Followed again within this time, an old link still gets its answer. */
const LINKS_KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

export function openAccounts(options: AccountsOptions): Accounts {
  const {
    database,
    time,
    tableTime = time,
    secret,
    publicUrl,
    secureCookies,
    rateLimits,
    onPlayerCreated,
    queueMail,
  } = options;
  const onSessionsEnded = options.onSessionsEnded ?? (() => undefined);
  const links = { publicUrl, queueMail };
  const cookieName = toCookieName(secureCookies);
  const library = openAuthLibrary({ database, secret, publicUrl, cookieName, secureCookies });
  const readToken = (cookie: string | undefined) => parseSessionToken(cookie, cookieName, secret);
  const reminders = makeRateLimiter(time, rateLimits.registerPerAccount);
  const confirmations = makeRateLimiter(time, rateLimits.loginPerAccount);
  const mailsToAccounts = makeRateLimiter(time, rateLimits.mailPerAccount);
  const resets = makeRateLimiter(time, rateLimits.resetPerAccount);
  const emailChanges = makeRateLimiter(time, rateLimits.changePerAddress);
  const mailsFromAddresses = makeRateLimiter(time, rateLimits.mailPerAddress);
  const hashingQueue = makeHashingQueue();
  const registrationBlocks = openRegistrationBlocks(secret);
  const knownAddresses = makeKnownAddresses();

  async function findFittingHash(
    playerId: PlayerId,
    password: string,
  ): Promise<Result<string | null, "too_many_requests">> {
    if (!confirmations.tryAcquire(playerId)) return refuse("too_many_requests");
    const hash = await loadPasswordHash(database.kysely, playerId);
    const checked = await hashingQueue(() => isPassword(password, hash ?? ""));
    if (!checked.ok) return checked;
    if (checked.value) confirmations.giveBackToken(playerId);
    return ok(checked.value ? hash : null);
  }

  async function checkPassword(playerId: PlayerId, password: string): Promise<Result<boolean, "too_many_requests">> {
    const fitting = await findFittingHash(playerId, password);
    return fitting.ok ? ok(fitting.value !== null) : fitting;
  }

  return {
    registrationBlocks,

    async removeExpiredData() {
      await removeEndedRegistrationBlocks(database.kysely, tableTime.now());
      await removeEndedSessions(database.kysely, time.now());
      await removeEndedLinks(database.kysely, addMs(time.now(), -LINKS_KEPT_MS));
    },

    async removePlayer(tx, playerId) {
      const holder = await lockAccount(tx, playerId);
      assert(holder !== null, `player ${playerId} has no account`);
      await registrationBlocks.recordGivenUpEmail(tx, playerId, holder.email, tableTime.now());
      await removeIdentity(tx, playerId, time.now());
    },

    ...openRegistration({
      database,
      time,
      tableTime,
      registrationBlocks,
      links,
      rateLimits,
      reminders,
      mailsToAccounts,
      mailsFromAddresses,
      hashingQueue,
      onPlayerCreated,
      readToken,
      onSessionsEnded,
    }),

    ...openSessions({
      database,
      time,
      library,
      cookieName,
      secureCookies,
      rateLimits,
      knownAddresses,
      hashingQueue,
      readToken,
      onSessionsEnded,
    }),

    ...openOwnAccount({
      database,
      time,
      tableTime,
      registrationBlocks,
      ...links,
      onSessionsEnded,
      findFittingHash,
      hashNewPassword: (password) => hashingQueue(() => hashPassword(password)),
      tryAcquireEmailChange: (visitor, playerId, email) =>
        mailsFromAddresses.tryAcquire(visitor.address) &&
        mailsToAccounts.tryAcquire(playerId) &&
        emailChanges.tryAcquire(email),
      tryAcquireReset: (visitor, email) => mailsFromAddresses.tryAcquire(visitor.address) && resets.tryAcquire(email),
      mayNotify: reminders.tryAcquire,
      knownAddresses,
    }),

    checkPassword,

    async updateSettings(playerId, settings) {
      const player = await saveSettings(database.kysely, playerId, settings, time.now());
      assert(player !== null, `player ${playerId} has no profile`);
      return player;
    },

    async updateRelation(playerId, otherId, changes) {
      return await transact(database, (tx) => updateRelation(tx, { playerId, otherId, changes, at: time.now() }));
    },

    async updateLimits(playerId, changes) {
      const updated = await transact(database, (tx) => updateLimits(tx, playerId, changes, tableTime));
      return updated.ok ? ok(await loadOwnLimits(database.kysely, playerId, tableTime.now())) : updated;
    },

    async excludeSelf({ playerId, term, password }) {
      const checked = await checkPassword(playerId, password);
      if (!checked.ok) return checked;
      if (!checked.value) return refuse("wrong_password");
      await transact(database, async (tx) => {
        const now = tableTime.now();
        await excludeSelf(tx, playerId, term, now);
        await registrationBlocks.record(tx, playerId, now);
      });
      return ok(await loadOwnLimits(database.kysely, playerId, tableTime.now()));
    },
  };
}
