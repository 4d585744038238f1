import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Result } from "@holo/kernel/result.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { type Effect, transact } from "../platform/database/transaction.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import { makeLocalLimiters, type OpenRateLimiter, removeFullLimits } from "../platform/shared-rate-limiter.ts";
import type { Time } from "../platform/time/time.ts";
import type { AccountPartDeps } from "./account-part-deps.ts";
import { removeIdentity } from "./data-retention/account-removal-store.ts";
import { lockAccount, removeEndedLinks } from "./email/email-links-store.ts";
import { type Emails, openEmails } from "./email/emails.ts";
import { makeHashing } from "./password/hashing.ts";
import { openPasswords, type Passwords } from "./password/passwords.ts";
import { type OwnPlayer, type ProfileChanges, saveProfileChanges } from "./profiles/profiles-store.ts";
import { type AccountRateLimits, openAccountRateLimiters } from "./rate-limits.ts";
import { openRegistration, type Registration } from "./registration/registration.ts";
import { openRegistrationBlocks, type RegistrationBlocks } from "./registration/registration-blocks.ts";
import { removeEndedRegistrationBlocks } from "./registration/registration-blocks-store.ts";
import { type Relation, type RelationChanges, type RelationRefusal, updateRelation } from "./relations/relations.ts";
import { type OwnRestrictions, openOwnRestrictions } from "./restrictions/own-restrictions.ts";
import { makeCodes } from "./second-factor/codes.ts";
import { openSecondFactors, type SecondFactors } from "./second-factor/second-factors.ts";
import { makeDeviceCookies } from "./sessions/device-cookie.ts";
import { removeUnusedDevices } from "./sessions/devices-store.ts";
import { type Logins, openLogins } from "./sessions/login.ts";
import { openLoginThrottle } from "./sessions/login-throttle.ts";
import { openSessionCache } from "./sessions/session-cache.ts";
import { makeSessionCookies } from "./sessions/session-cookie.ts";
import { openSessions, type Sessions } from "./sessions/sessions.ts";
import { loadPlayerSessions, removeExpiredSessions } from "./sessions/sessions-store.ts";
import { openTraces, type Traces } from "./traces/traces.ts";
import { removeOldTraces } from "./traces/traces-store.ts";

export type { Client } from "./account-part-deps.ts";
export { isAccountDeleted, loadDeletedPlayers, saveClosing } from "./data-retention/account-removal-store.ts";
export { findAccountByEmail, isEmailVerified, loadAccountEmail, lockAccount } from "./email/email-links-store.ts";
export type { LockConfirmed } from "./password/confirmation.ts";
export { findPlayerRecord, type PlayerRecord, searchPlayerRecords } from "./profiles/player-records-store.ts";
export {
  acceptsTakebacks,
  findPlayers,
  findProfile,
  findProfileNamed,
  type Player,
  searchPlayers,
} from "./profiles/profiles-store.ts";
export { DEVELOPMENT_RATE_LIMITS, PRODUCTION_RATE_LIMITS } from "./rate-limits.ts";
export { loadRegistrationBlockHashes } from "./registration/registration-blocks-store.ts";
export { parseEmail } from "./registration/registration-form.ts";
export { findNeverPaired, isNeverPaired, loadRelation } from "./relations/relations.ts";
export {
  findNeverPairedOf,
  loadRelations,
  type NeverPaired,
} from "./relations/relations-store.ts";
export { loadBans, removeBan, saveBan } from "./restrictions/bans-store.ts";
export { endDispute, hasDispute, loadDisputes, saveDispute } from "./restrictions/disputes-store.ts";
export { type DepositLeft, findDepositLeft, toLimitAt } from "./restrictions/limits.ts";
export { loadSelfExclusions, lockLimits } from "./restrictions/limits-store.ts";
export { loadMaintenance, saveMaintenance } from "./restrictions/maintenance-store.ts";
export {
  findDepositRestriction,
  findExceededDepositLimit,
  findRestriction,
  isRestrictedFromDeposits,
  loadOwnLimits,
  type RestrictionRefusal,
} from "./restrictions/restrictions.ts";
export {
  countMembers,
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
export { loadDevices } from "./sessions/devices-store.ts";
export type { PlayerSession } from "./sessions/session-cache.ts";
export type { Session, SessionClaim, SessionRecord } from "./sessions/sessions-store.ts";
export { loadSessionsSeen } from "./sessions/sessions-store.ts";
export { SHARED_DEVICE_MS, TRACE_KEPT_MS, type TraceKind } from "./traces/trace-kinds.ts";
export type { Traces } from "./traces/traces.ts";
export {
  loadTraces,
  loadTracesAround,
  type Trace,
} from "./traces/traces-store.ts";

export type AccountTopics = {
  /** Null: sessions of any player may have ended. */
  sessions_ended: { readonly playerId: PlayerId | null };
  /** One of these players has blocked, unblocked, muted or unmuted the other. */
  relations_changed: { readonly playerIds: readonly PlayerId[] };
};

export interface AccountsDeps {
  readonly database: Database;
  readonly time: Time;
  /** The clock of limits and self-exclusions, shared with games and deposits. Default: `time`. */
  readonly tableTime?: Time;
  readonly secret: string;
  readonly publicUrl: string;
  readonly secureCookies: boolean;
  readonly rateLimits: AccountRateLimits;
  /** Default: this server is the only one. */
  readonly openRateLimiter?: OpenRateLimiter;
  /** Creates what belongs to a new player in the same transaction: their wallet. */
  readonly onPlayerCreated: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  /** Writes a mail in the transaction that causes it, without waiting for a mail server. */
  readonly queueMail: QueueMail;
  /**
   * Called after sessions ended other than by expiry. Without it open sockets notice within
   * seconds.
   */
  readonly onSessionsEnded?: (playerId: PlayerId) => void;
  readonly onRelationChanged?: (playerIds: readonly PlayerId[]) => void;
}

export interface Accounts extends Registration, Emails, Passwords, Logins, Sessions, OwnRestrictions, SecondFactors {
  readonly registrationBlocks: Pick<RegistrationBlocks, "record" | "findPlayers">;
  readonly recordTrace: Traces["record"];
  /** The session or device that a correctly signed cookie names: for limits, without a query. */
  toKnownSource(cookie: string | undefined): string | null;
  forgetSessions(playerId: PlayerId | null): void;
  /**
   * Deletes expired data: sessions, links a month after expiry, registration blocks that no longer
   * apply, full rate limits, unused devices and old traces.
   */
  removeExpiredData(): Promise<void>;
  /**
   * Erases a player's identity (see `removeIdentity`) and ends their sessions. Restrictions
   * continue to block their address. The caller has checked that no game or payment is open.
   */
  removePlayer(tx: Tx, playerId: PlayerId, afterCommit: (effect: Effect) => void): Promise<void>;
  updateProfile(playerId: PlayerId, changes: ProfileChanges): Promise<OwnPlayer>;
  /**
   * Changes what a player has muted or blocked. Refusals in the order of `RelationRefusal`.
   */
  updateRelation(
    playerId: PlayerId,
    otherId: PlayerId,
    changes: RelationChanges,
  ): Promise<Result<Relation, RelationRefusal>>;
}

/** A used link that is opened again within this time still gets its own answer. */
const LINKS_KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
const DEVICES_KEPT_MS = 400 * 24 * 60 * MINUTE_MS;

export function openAccounts(deps: AccountsDeps): Accounts {
  const { database, time, tableTime = time, secret, secureCookies } = deps;
  const { openRateLimiter = makeLocalLimiters(time) } = deps;
  const registrationBlocks = openRegistrationBlocks(secret);
  const sessionCache = openSessionCache(time, (tokens) => loadPlayerSessions(database.kysely, tokens, time.now()));
  const partDeps: AccountPartDeps = {
    database,
    time,
    tableTime,
    publicUrl: deps.publicUrl,
    queueMail: deps.queueMail,
    registrationBlocks,
    rateLimiters: openAccountRateLimiters(openRateLimiter, deps.rateLimits),
    loginThrottle: openLoginThrottle(openRateLimiter, deps.rateLimits),
    hashing: makeHashing(),
    devices: makeDeviceCookies(secret, secureCookies),
    codes: makeCodes(secret),
    traces: openTraces(secret),
    onPlayerCreated: deps.onPlayerCreated,
    sessionCache,
    onSessionsEnded(playerId) {
      sessionCache.forgetPlayer(playerId);
      deps.onSessionsEnded?.(playerId);
    },
    sessionCookies: makeSessionCookies(secret, secureCookies),
  };

  return {
    ...openRegistration(partDeps),
    ...openEmails(partDeps),
    ...openPasswords(partDeps),
    ...openLogins(partDeps),
    ...openSessions(partDeps),
    ...openOwnRestrictions(partDeps),
    ...openSecondFactors(partDeps),
    registrationBlocks,
    recordTrace: partDeps.traces.record,
    toKnownSource: (cookie) => partDeps.sessionCookies.readToken(cookie) ?? partDeps.devices.readHash(cookie),
    forgetSessions(playerId) {
      if (playerId === null) sessionCache.forgetAll();
      else sessionCache.forgetPlayer(playerId);
    },

    async removeExpiredData() {
      await removeEndedRegistrationBlocks(database.kysely, tableTime.now());
      await removeExpiredSessions(database.kysely, null, time.now());
      await removeFullLimits(database.kysely, time.now());
      await removeEndedLinks(database.kysely, addMs(time.now(), -LINKS_KEPT_MS));
      await removeUnusedDevices(database.kysely, addMs(time.now(), -DEVICES_KEPT_MS));
      await removeOldTraces(database.kysely, tableTime.now());
    },

    async removePlayer(tx, playerId, afterCommit) {
      const account = await lockAccount(tx, playerId);
      assert(account !== null, `player ${playerId} has no account`);
      await registrationBlocks.recordGivenUpEmail(tx, account, tableTime.now());
      await removeIdentity(tx, playerId, time.now());
      afterCommit(() => partDeps.onSessionsEnded(playerId));
    },

    async updateProfile(playerId, changes) {
      const player = await saveProfileChanges(database.kysely, playerId, changes, time.now());
      assert(player !== null, `player ${playerId} has no profile`);
      return player;
    },

    async updateRelation(playerId, otherId, changes) {
      const order = { playerId, otherId, changes, at: time.now() };
      const updated = await transact(database, (tx) => updateRelation(tx, order));
      if (updated.ok) deps.onRelationChanged?.([playerId, otherId]);
      return updated;
    },
  };
}
