import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { APIError } from "better-auth/api";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountDeps, Visitor } from "../account-deps.ts";
import { lockAccount } from "../email/email-links-store.ts";
import { loadPasswordHash, loadPasswordHashByEmail } from "../password/password-store.ts";
import { normalizeEmail } from "../registration/registration-form.ts";
import { formatExpiredCookie } from "./session-cookie.ts";
import { loadSession, removeExpiredSessions, removeSession, type Session } from "./sessions-store.ts";

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

export interface Logins {
  /**
   * Begins a session and ends the visitor's previous one. Unknown addresses and wrong passwords get
   * the same answer in the same time. Refusals in the order of `LoginRefusal`.
   */
  login(form: LoginForm, visitor: Visitor): Promise<Result<LoggedIn, LoginRefusal>>;
  /** Ends the cookie's session, if any; returns Set-Cookie headers that delete the cookie. */
  logout(cookie: string | undefined): Promise<readonly string[]>;
}

export function openLogins(deps: AccountDeps): Logins {
  const { database, time } = deps;

  async function endCookieSession(cookie: string | undefined): Promise<void> {
    const token = deps.readToken(cookie);
    const playerId = token === null ? null : await removeSession(database.kysely, token);
    if (playerId !== null) deps.onSessionsEnded(playerId);
  }

  return {
    async login(form, visitor) {
      const email = normalizeEmail(form.email);
      if (email === "" || form.password === "") return refuse("missing_credentials");
      const attempt = deps.loginThrottle.begin(email, visitor.address);
      if (attempt === null) return refuse("too_many_requests");
      const signedIn = await deps.hashingQueue(() => signIn({ email, password: form.password }, visitor, deps));
      if (!signedIn.ok) return signedIn;
      if (signedIn.value === null) return refuse("invalid_credentials");
      attempt.succeeded();
      await endCookieSession(visitor.cookie);
      await removeExpiredSessions(database.kysely, signedIn.value.session.player.id, time.now());
      return ok(signedIn.value);
    },

    async logout(cookie) {
      await endCookieSession(cookie);
      return [formatExpiredCookie(deps.cookieName, deps.secureCookies)];
    },
  };
}

async function signIn(form: LoginForm, visitor: Visitor, deps: AccountDeps): Promise<LoggedIn | null> {
  const { database, library, time } = deps;
  const headers = new Headers({
    "x-forwarded-for": visitor.address.replace("/64", ""),
    "user-agent": visitor.userAgent.slice(0, 300),
  });
  const hash = await loadPasswordHashByEmail(database.kysely, form.email);
  try {
    const answer = await library.api.signInEmail({ body: form, headers, returnHeaders: true });
    const setCookies = answer.headers.getSetCookie();
    const { token, user } = answer.response;
    if (!(await isUnchanged(user.id as PlayerId, form.email, hash, deps))) await removeSession(database.kysely, token);
    const session = await loadSession(database.kysely, token, time.now());
    return session && { session, setCookies };
  } catch (error) {
    // The library throws refusals: wrong password, malformed address, password too long.
    if (error instanceof APIError && error.statusCode < 500) return null;
    throw error;
  }
}

/**
 * Whether password and address are still those of the login. A change in the meantime has ended all
 * sessions but this one. Waits for a change in progress.
 */
async function isUnchanged(
  playerId: PlayerId,
  email: string,
  hash: string | null,
  { database }: AccountDeps,
): Promise<boolean> {
  return await transact(database, async (tx) => {
    const account = await lockAccount(tx, playerId);
    return account?.email === email && (await loadPasswordHash(tx, playerId)) === hash;
  });
}
