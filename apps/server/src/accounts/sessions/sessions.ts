import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { APIError } from "better-auth/api";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountDeps, Visitor } from "../account-deps.ts";
import { SESSION_RENEWAL_SECONDS } from "../auth-library.ts";
import { lockAccount } from "../email/email-links-store.ts";
import { loadPasswordHash, loadPasswordHashByEmail } from "../password/password-store.ts";
import { normalizeEmail } from "../registration/registration-form.ts";
import { formatExpiredCookie } from "./session-cookie.ts";
import {
  loadLiveTokens,
  loadSession,
  loadSessions,
  removeExpiredSessions,
  removeSession,
  removeSessionById,
  removeSessions,
  SEEN_EVERY_MS,
  type Session,
  type SessionRecord,
  saveSeen,
} from "./sessions-store.ts";

export interface LoginForm {
  readonly email: string;
  readonly password: string;
}

export interface LoggedIn {
  readonly session: Session;
  /** Set-Cookie headers of the response. */
  readonly setCookies: readonly string[];
}

export type LoginRefusal = "missing_credentials" | "too_many_requests" | "invalid_credentials";

/** Sessions from login to logout. */
export interface Sessions {
  /**
   * Begins a session and ends the visitor's previous one. Unknown addresses and wrong passwords get
   * the same answer in the same time. Refusals in the order of `LoginRefusal`.
   */
  login(form: LoginForm, visitor: Visitor): Promise<Result<LoggedIn, LoginRefusal>>;
  /** Ends the cookie's session, if any; returns Set-Cookie headers that delete the cookie. */
  logout(cookie: string | undefined): Promise<readonly string[]>;
  /** The session of this Cookie header: one query, none for unsigned cookies. */
  findSession(cookie: string | undefined): Promise<Session | null>;
  /** Renews a session in use once a day; returns Set-Cookie headers, usually none. */
  renewSession(session: Session, cookie: string | undefined): Promise<readonly string[]>;
  /** Which of these tokens are live: one query for all open sockets. */
  checkSessions(tokens: readonly string[]): Promise<ReadonlySet<string>>;
  /** Records that these sessions are in use. */
  recordSeen(tokens: readonly string[]): Promise<void>;
  /** Live sessions of the player, the current one first. */
  listSessions(owner: SessionOwner): Promise<readonly SessionRecord[]>;
  /** Ends a session of the player; no effect if it has ended. */
  endSession(playerId: PlayerId, id: string): Promise<void>;
  endAllSessions(playerId: PlayerId): Promise<void>;
}

interface SessionOwner {
  readonly playerId: PlayerId;
  /** The current session. */
  readonly token: string;
}

export function openSessions(deps: AccountDeps): Sessions {
  const { database, time, library, readToken } = deps;

  /**
   * Whether password and address are still those of the login. A change in the meantime has ended
   * all sessions but this one. Waits for a change in progress.
   */
  async function isUnchanged(playerId: PlayerId, email: string, hash: string | null): Promise<boolean> {
    return await transact(database, async (tx) => {
      const account = await lockAccount(tx, playerId);
      return account?.email === email && (await loadPasswordHash(tx, playerId)) === hash;
    });
  }

  async function endTokenSession(cookie: string | undefined): Promise<void> {
    const token = readToken(cookie);
    const playerId = token === null ? null : await removeSession(database.kysely, token);
    if (playerId !== null) deps.onSessionsEnded(playerId);
  }

  async function signIn(form: LoginForm, visitor: Visitor): Promise<LoggedIn | null> {
    const headers = new Headers({
      "x-forwarded-for": visitor.address.replace("/64", ""),
      "user-agent": visitor.userAgent.slice(0, 300),
    });
    const hash = await loadPasswordHashByEmail(database.kysely, form.email);
    try {
      const answer = await library.api.signInEmail({ body: form, headers, returnHeaders: true });
      const setCookies = answer.headers.getSetCookie();
      const { token, user } = answer.response;
      if (!(await isUnchanged(user.id as PlayerId, form.email, hash))) await removeSession(database.kysely, token);
      const session = await loadSession(database.kysely, token, time.now());
      return session && { session, setCookies };
    } catch (error) {
      // The library throws refusals: wrong password, malformed address, password too long.
      if (error instanceof APIError && error.statusCode < 500) return null;
      throw error;
    }
  }

  return {
    async login(form, visitor) {
      const email = normalizeEmail(form.email);
      if (email === "" || form.password === "") return refuse("missing_credentials");
      const attempt = deps.loginThrottle.begin(email, visitor.address);
      if (attempt === null) return refuse("too_many_requests");
      const signedIn = await deps.hashingQueue(() => signIn({ email, password: form.password }, visitor));
      if (!signedIn.ok) return signedIn;
      if (signedIn.value === null) return refuse("invalid_credentials");
      attempt.succeeded();
      await endTokenSession(visitor.cookie);
      await removeExpiredSessions(database.kysely, signedIn.value.session.player.id, time.now());
      return ok(signedIn.value);
    },

    async logout(cookie) {
      await endTokenSession(cookie);
      return [formatExpiredCookie(deps.cookieName, deps.secureCookies)];
    },

    async findSession(cookie) {
      const token = readToken(cookie);
      const session = token === null ? null : await loadSession(database.kysely, token, time.now());
      if (session !== null && time.now() - session.seenAt >= SEEN_EVERY_MS) {
        await saveSeen(database.kysely, [session.token], time.now());
      }
      return session;
    },

    async renewSession(session, cookie) {
      if (time.now() - session.renewedAt < SESSION_RENEWAL_SECONDS * 1_000) return [];
      const answer = await library.api.getSession({
        headers: new Headers({ cookie: cookie ?? "" }),
        returnHeaders: true,
      });
      return answer.headers.getSetCookie();
    },

    async checkSessions(tokens) {
      return await loadLiveTokens(database.kysely, tokens, time.now());
    },

    async recordSeen(tokens) {
      await saveSeen(database.kysely, tokens, time.now());
    },

    async listSessions({ playerId, token }) {
      return await loadSessions(database.kysely, playerId, token, time.now());
    },

    async endSession(playerId, id) {
      await removeSessionById(database.kysely, playerId, id);
      deps.onSessionsEnded(playerId);
    },

    async endAllSessions(playerId) {
      await removeSessions(database.kysely, playerId, null);
      deps.onSessionsEnded(playerId);
    },
  };
}
