import { randomUUID } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ExclusionTerm } from "@holo/protocol/views.ts";
import { APIError } from "better-auth/api";
import type { Database, Queries, Tx } from "../platform/database.ts";
import { makeLimit, type Rate } from "../platform/limit.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import { hashPassword, isPassword } from "../platform/password.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { mailNews } from "./account-mails.ts";
import { formatExpiredCookie, parseSessionToken, toCookieName } from "./cookie.ts";
import { findEmailHolder, loadEmailVerified, lockEmailHolder } from "./email-links-store.ts";
import { openEngine } from "./engine.ts";
import { type OwnAccount, openOwnAccount } from "./own-account.ts";
import { excludeSelf, type LimitWishes, loadOwnLimits, type OwnLimits, updateLimits } from "./permits.ts";
import { type FormRefusal, normalizeEmail, parseRegistration, type RegistrationForm } from "./registration.ts";
import { type Relation, type RelationRefusal, updateRelation, type Wishes } from "./relations.ts";
import { SESSION_RENEWAL_SECONDS } from "./session-life.ts";
import { SEEN_EVERY_MS, saveSeen } from "./sessions-store.ts";
import {
  isUsernameTaken,
  loadLiveTokens,
  loadPasswordHash,
  loadPlayers,
  loadPlayersNamed,
  loadProfile,
  loadSession,
  loadTakebacksEnabled,
  lockRegistration,
  type OwnPlayer,
  type Player,
  type Profile,
  removeExpiredSessions,
  removeSession,
  type Session,
  type Settings,
  saveAccount,
  saveSettings,
} from "./store.ts";
import { mailVerification, verifyByLink } from "./verification.ts";

export { saveClosing } from "./closing-store.ts";
export { toDevice } from "./device.ts";
export { findEmailHolder, lockEmailHolder } from "./email-links-store.ts";
export {
  type FoundPlayer,
  loadBlocked,
  loadMaintenance,
  type Maintenance,
  removeBlock,
  saveBlock,
  saveMaintenance,
  searchAccounts,
} from "./house-store.ts";
export { removePlayer } from "./leaving-store.ts";
export { type CountedDeposit, type DepositLeft, findDepositLeft } from "./limits.ts";
export { lockLimits } from "./limits-store.ts";
export type { EmailOrder, PasswordOrder, ResetForm, SessionRecord } from "./own-account.ts";
export type { LimitWishes, OwnLimits, PermitRefusal } from "./permits.ts";
export {
  checkExcluded,
  checkSeat,
  findExcluded,
  loadOwnLimits,
  toBarredRefusal,
  toDepositRefusal,
  toSeatRefusal,
} from "./permits.ts";
export { parseEmail, type RegistrationForm } from "./registration.ts";
export type { Relation, RelationRefusal, Wishes } from "./relations.ts";
export { findBlockedWith, loadRelation } from "./relations.ts";
export { loadRelations } from "./relations-store.ts";
export {
  type ListedAdmin,
  loadAdmins,
  loadOwner,
  loadRole,
  lockAdmins,
  type Owner,
  type Role,
  removeAdmin,
  saveAdmin,
  saveOwner,
} from "./roles-store.ts";
export type { OwnPlayer, Player, Profile, Session, Settings } from "./store.ts";

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

export interface AccountRates {
  readonly registerPerAddress: Rate;
  /** Mails to the owner of an address with which others try to register. */
  readonly registerPerAccount: Rate;
  readonly loginPerAddress: Rate;
  /** Failed logins to one account from where it is not known. Known addresses have the same, each for itself: no one locks them out. */
  readonly loginPerAccount: Rate;
  /** Mails that a player or a visitor asks for. */
  readonly mailPerAccount: Rate;
  /** Links for a new password to one address, whether or not anybody has it. */
  readonly resetPerAccount: Rate;
  readonly mailPerAddress: Rate;
}

/** Many players share an address where carriers translate them, so it is generous there; an account is one person's. */
export const PRODUCTION_RATES: AccountRates = {
  // Each tells whoever can read no mail at the address one thing about it (see docs/decisions/money-and-accounts.md).
  registerPerAddress: { burst: 10, refillMs: 120_000 },
  registerPerAccount: { burst: 2, refillMs: 6 * 3_600_000 },
  loginPerAddress: { burst: 40, refillMs: 2_000 },
  loginPerAccount: { burst: 10, refillMs: 30_000 },
  mailPerAccount: { burst: 3, refillMs: 300_000 },
  // As long as a link works, so that whoever asks in the owner's place never leaves them without one.
  resetPerAccount: { burst: 3, refillMs: 600_000 },
  mailPerAddress: { burst: 20, refillMs: 60_000 },
};

/** Out of the way of who tries things out and of browser tests, which all come from one address. */
export const DEVELOPMENT_RATES: AccountRates = {
  registerPerAddress: { burst: 10_000, refillMs: 10 },
  registerPerAccount: { burst: 100, refillMs: 1_000 },
  loginPerAddress: { burst: 10_000, refillMs: 10 },
  loginPerAccount: { burst: 100, refillMs: 1_000 },
  mailPerAccount: { burst: 100, refillMs: 1_000 },
  resetPerAccount: { burst: 100, refillMs: 1_000 },
  mailPerAddress: { burst: 10_000, refillMs: 10 },
};

/** Where a request comes from, as the transport found out. */
export interface Visitor {
  /** The client's address; an IPv6 one cut to its /64. */
  readonly address: string;
  readonly userAgent: string;
  /** The request's Cookie header. */
  readonly cookie: string | undefined;
}

export interface LoginForm {
  readonly email: string;
  readonly password: string;
}

export interface LoggedIn {
  readonly session: Session;
  /** Set-Cookie headers to answer with. */
  readonly setCookies: readonly string[];
}

export type RegisterRefusal = FormRefusal | "too_many_requests" | "username_taken";
export type LoginRefusal = "missing_credentials" | "too_many_requests" | "invalid_credentials";

export interface ExclusionOrder {
  readonly playerId: PlayerId;
  readonly term: ExclusionTerm;
  readonly password: string;
}

export type ExclusionRefusal = "too_many_requests" | "wrong_password";

export interface Accounts extends OwnAccount {
  /**
   * Makes an account with its profile, what `welcome` adds and the mail that asks its owner to verify the address, all or nothing; logs
   * nobody in (specification 2). Where the address has an account nothing is made and its owner is mailed that they have one: the answer is
   * the same (ruling 24). Refusals in the order of `RegisterRefusal`.
   */
  register(form: RegistrationForm, visitor: Visitor): Promise<Result<null, RegisterRefusal>>;
  /**
   * Begins a new session and ends the one the visitor came with. An unknown address and a wrong password are answered alike and take as
   * long. Refusals in the order of `LoginRefusal`.
   */
  login(form: LoginForm, visitor: Visitor): Promise<Result<LoggedIn, LoginRefusal>>;
  /** Ends the session of this Cookie header, if there is one; returns the Set-Cookie headers that forget it. */
  logout(cookie: string | undefined): Promise<readonly string[]>;
  /**
   * Whether this is the password of a player who is logged in, asked again before something that matters. Guesses are counted apart from
   * those of logging in. Refusals: `too_many_requests`.
   */
  checkPassword(playerId: PlayerId, password: string): Promise<Result<boolean, "too_many_requests">>;
  /** Who sent this Cookie header: one query, none where the cookie is not of our making. */
  findSession(cookie: string | undefined): Promise<Session | null>;
  /** Set-Cookie headers that prolong a session in use; mostly none, once a day one. */
  renewSession(session: Session, cookie: string | undefined): Promise<readonly string[]>;
  /** Which of these tokens are still of live sessions: one query for all open sockets. */
  checkSessions(tokens: readonly string[]): Promise<ReadonlySet<string>>;
  /** Notes, to some minutes, that the sessions of these tokens are in use. */
  noteSeen(tokens: readonly string[]): Promise<void>;
  /**
   * Marks the address verified that this token was mailed to, and makes it the account's where that was asked for: all sessions then end
   * but that of this Cookie header. The same token again gets the same answer. One refusal for every link that does not work.
   */
  verifyEmail(token: string, cookie?: string): Promise<Result<null, "unusable_link">>;
  /** Mails a new link, which voids the last one. Where the address is verified already nothing is sent, and the answer is the same. */
  resendVerification(playerId: PlayerId, visitor: Visitor): Promise<Result<null, "too_many_requests">>;
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

/** Password hashes that may wait at once; who comes on top is turned away before costing anything. */
const HASHES_WAITING_MAX = 40;

export function openAccounts(options: AccountsOptions): Accounts {
  const { database, time, tableTime = time, secret, publicUrl, secureCookies, rates, welcome, queueMail } = options;
  const tellSessionsEnded = options.tellSessionsEnded ?? (() => undefined);
  const links = { publicUrl, queueMail };
  const cookieName = toCookieName(secureCookies);
  const engine = openEngine({ database, secret, publicUrl, cookieName, secureCookies });
  const registrations = makeLimit(time, rates.registerPerAddress);
  const reminders = makeLimit(time, rates.registerPerAccount);
  const logins = makeLimit(time, rates.loginPerAddress);
  const guesses = makeLimit(time, rates.loginPerAccount);
  const confirmations = makeLimit(time, rates.loginPerAccount);
  const mailsToAccounts = makeLimit(time, rates.mailPerAccount);
  const resets = makeLimit(time, rates.resetPerAccount);
  const mailsFromAddresses = makeLimit(time, rates.mailPerAddress);
  const knownPlaces = makeKnownPlaces();
  let hashing = 0;

  async function hashingInTurn<Value>(work: () => Promise<Value>): Promise<Result<Value, "too_many_requests">> {
    if (hashing >= HASHES_WAITING_MAX) return refuse("too_many_requests");
    hashing += 1;
    try {
      return ok(await work());
    } finally {
      hashing -= 1;
    }
  }

  async function signIn(form: LoginForm, visitor: Visitor): Promise<LoggedIn | null> {
    const headers = new Headers({
      "x-forwarded-for": visitor.address.replace("/64", ""),
      "user-agent": visitor.userAgent.slice(0, 300),
    });
    try {
      const answer = await engine.api.signInEmail({ body: form, headers, returnHeaders: true });
      const setCookies = answer.headers.getSetCookie();
      const session = await loadSession(database.kysely, answer.response.token, time.now());
      assert(session !== null, "a session that was just begun is not there");
      return { session, setCookies };
    } catch (error) {
      // The library throws its refusals: a wrong password, an address that is none, a password that is too long.
      if (error instanceof APIError && error.statusCode < 500) return null;
      throw error;
    }
  }

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
    ...openOwnAccount({
      database,
      time,
      ...links,
      tellSessionsEnded,
      findFittingHash,
      hashNewPassword: (password) => hashingInTurn(() => hashPassword(password)),
      takeMail: (visitor, playerId) => mailsFromAddresses.take(visitor.address) && mailsToAccounts.take(playerId),
      takeReset: (visitor, email) => mailsFromAddresses.take(visitor.address) && resets.take(email),
      mayRemind: (owner) => reminders.take(owner.playerId),
    }),

    async register(form, visitor) {
      const parsed = parseRegistration(form);
      if (!parsed.ok) return parsed;
      const { username, email, password } = parsed.value;
      if (!registrations.take(visitor.address)) return refuse("too_many_requests");
      const hashed = await hashingInTurn(() => hashPassword(password));
      if (!hashed.ok) return hashed;
      const id = randomUUID() as PlayerId;
      return await transact(database, async (tx) => {
        await lockRegistration(tx);
        if (await isUsernameTaken(tx, username)) return refuse("username_taken");
        const at = time.now();
        const owner = await findEmailHolder(tx, email);
        if (owner !== null) {
          if (reminders.take(owner.playerId)) await mailNews(tx, owner, { type: "known_address" }, at, links);
          return ok(null);
        }
        await saveAccount(tx, { id, username, email, emailVerified: false, passwordHash: hashed.value }, at);
        await welcome(tx, id, at);
        await mailVerification(tx, { playerId: id, username, email }, at, links);
        return ok(null);
      });
    },

    async login(form, visitor) {
      const email = normalizeEmail(form.email);
      if (email === "" || form.password === "") return refuse("missing_credentials");
      const guesser = knownPlaces.has(email, visitor.address) ? `${email} ${visitor.address}` : email;
      if (!logins.take(visitor.address) || !guesses.take(guesser)) return refuse("too_many_requests");
      const signedIn = await hashingInTurn(() => signIn({ email, password: form.password }, visitor));
      if (!signedIn.ok) return signedIn;
      if (signedIn.value === null) return refuse("invalid_credentials");
      guesses.giveBack(guesser);
      knownPlaces.add(email, visitor.address);
      const before = parseSessionToken(visitor.cookie, cookieName, secret);
      if (before !== null) await removeSession(database.kysely, before);
      await removeExpiredSessions(database.kysely, signedIn.value.session.player.id, time.now());
      return ok(signedIn.value);
    },

    async logout(cookie) {
      const token = parseSessionToken(cookie, cookieName, secret);
      const playerId = token === null ? null : await removeSession(database.kysely, token);
      if (playerId !== null) tellSessionsEnded(playerId);
      return [formatExpiredCookie(cookieName, secureCookies)];
    },

    checkPassword,

    async findSession(cookie) {
      const token = parseSessionToken(cookie, cookieName, secret);
      const session = token === null ? null : await loadSession(database.kysely, token, time.now());
      if (session !== null && time.now() - session.seenAt >= SEEN_EVERY_MS) {
        await saveSeen(database.kysely, [session.token], time.now());
      }
      return session;
    },

    async renewSession(session, cookie) {
      if (time.now() - session.renewedAt < SESSION_RENEWAL_SECONDS * 1_000) return [];
      const answer = await engine.api.getSession({
        headers: new Headers({ cookie: cookie ?? "" }),
        returnHeaders: true,
      });
      return answer.headers.getSetCookie();
    },

    async checkSessions(tokens) {
      return await loadLiveTokens(database.kysely, tokens, time.now());
    },

    async noteSeen(tokens) {
      await saveSeen(database.kysely, tokens, time.now());
    },

    async verifyEmail(token, cookie) {
      const kept = parseSessionToken(cookie, cookieName, secret);
      const verified = await transact(database, (tx) => verifyByLink(tx, token, kept, time.now(), links));
      if (!verified.ok) return verified;
      if (verified.value.isMoved) tellSessionsEnded(verified.value.playerId);
      return ok(null);
    },

    async resendVerification(playerId, visitor) {
      if (!mailsToAccounts.take(playerId) || !mailsFromAddresses.take(visitor.address)) {
        return refuse("too_many_requests");
      }
      await transact(database, async (tx) => {
        const holder = await lockEmailHolder(tx, playerId);
        assert(holder !== null, `player ${playerId} has no account`);
        if (!holder.isVerified) await mailVerification(tx, holder, time.now(), links);
      });
      return ok(null);
    },

    async updateSettings(playerId, settings) {
      const player = await saveSettings(database.kysely, playerId, settings, time.now());
      assert(player !== null, `player ${playerId} has no profile`);
      return player;
    },

    async updateRelation(playerId, otherId, wishes) {
      return await transact(database, (tx) => updateRelation(tx, { playerId, otherId, wishes, at: time.now() }));
    },

    async updateLimits(playerId, wishes) {
      const updated = await transact(database, (tx) => updateLimits(tx, playerId, wishes, tableTime.now()));
      return updated.ok ? ok(await loadOwnLimits(database.kysely, playerId, tableTime.now())) : updated;
    },

    async excludeSelf({ playerId, term, password }) {
      const checked = await checkPassword(playerId, password);
      if (!checked.ok) return checked;
      if (!checked.value) return refuse("wrong_password");
      await transact(database, (tx) => excludeSelf(tx, playerId, term, tableTime.now()));
      return ok(await loadOwnLimits(database.kysely, playerId, tableTime.now()));
    },
  };
}

const KNOWN_PLACES_MAX = 100_000;

/** From which addresses an account was logged in to since the start: there its owner is not held up by others' guesses elsewhere. */
function makeKnownPlaces(): {
  has(email: string, address: string): boolean;
  add(email: string, address: string): void;
} {
  const places = new Set<string>();
  return {
    has: (email, address) => places.has(`${email} ${address}`),
    add(email, address) {
      places.delete(`${email} ${address}`);
      places.add(`${email} ${address}`);
      const oldest = places.size > KNOWN_PLACES_MAX ? places.values().next() : undefined;
      if (oldest?.done === false) places.delete(oldest.value);
    },
  };
}
