import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { transact } from "../../platform/database/transaction.ts";
import { toTurnSource } from "../../platform/fair-turns.ts";
import { randomBytes } from "../../platform/runtime.ts";
import type { AccountPartDeps, Client } from "../account-part-deps.ts";
import { queueAccountNotice } from "../email/account-notices.ts";
import { lockAccount } from "../email/email-links-store.ts";
import { isPassword } from "../password/password-hash.ts";
import { PASSWORD_LENGTH_MAX } from "../password/password-rules.ts";
import { findCredentials, loadPasswordHash } from "../password/password-store.ts";
import { normalizeEmail } from "../registration/registration-form.ts";
import { lockLimits } from "../restrictions/limits-store.ts";
import { saveSessionCode } from "../second-factor/second-factor-store.ts";
import { type CodeRefusal, checkCode, isSecondFactorOn } from "../second-factor/second-factors.ts";
import { toDevice } from "./device.ts";
import { isDeviceOf, saveDevice } from "./devices-store.ts";
import { loadSession, removeExpiredSessions, removeSession, type Session, saveSession } from "./sessions-store.ts";

interface LoginForm {
  readonly email: string;
  readonly password: string;
  /** The code of the second factor, requested by `second_factor_required`. */
  readonly code?: string | undefined;
}

interface LoggedIn {
  readonly session: Session;
  /** The account has logged in nowhere before. */
  readonly isFirst: boolean;
  readonly setCookies: readonly string[];
}

type LoginRefusal =
  | "missing_credentials"
  | "too_many_requests"
  | "invalid_credentials"
  | "second_factor_required"
  | "wrong_code";

export interface Logins {
  /**
   * Begins a session and ends that of the cookie. Unknown addresses and wrong passwords get the
   * same answer in the same time. Refusals in the order of `LoginRefusal`.
   */
  login(form: LoginForm, client: Client): Promise<Result<LoggedIn, LoginRefusal>>;
  logout(cookie: string | undefined): Promise<readonly string[]>;
}

export function openLogins(deps: AccountPartDeps): Logins {
  const { database, time } = deps;

  async function endCookieSession(cookie: string | undefined): Promise<void> {
    const token = deps.sessionCookies.readToken(cookie);
    const playerId = token === null ? null : await removeSession(database.kysely, token);
    if (playerId !== null) deps.onSessionsEnded(playerId);
  }

  return {
    async login(form, client) {
      const email = normalizeEmail(form.email);
      if (email === "" || form.password === "") return refuse("missing_credentials");
      const deviceHash = deps.devices.readHash(client.cookie);
      const isKnown = deviceHash !== null && (await isDeviceOf(database.kysely, email, deviceHash));
      const knownDevice = isKnown ? deviceHash : null;
      const attempt = await deps.loginThrottle.begin(email, client.address, knownDevice);
      if (attempt === null) return refuse("too_many_requests");
      const { knownGuesser } = attempt;
      const turns = knownGuesser === null ? deps.hashing.ofStrangers : deps.hashing.ofKnown;
      const credentials = { email, password: form.password, code: form.code, deviceHash, knownDevice };
      const source = knownGuesser ?? toTurnSource(client.address);
      const hashed = await turns.run(source, () => signIn(credentials, client, deps));
      if (!hashed.ok) {
        await attempt.withdraw();
        return hashed;
      }
      const signedIn = hashed.value;
      if (!signedIn.ok) {
        if (signedIn.refusal !== "invalid_credentials") await attempt.withdraw();
        return signedIn;
      }
      await attempt.succeeded();
      await endCookieSession(client.cookie);
      await removeExpiredSessions(database.kysely, signedIn.value.session.player.id, time.now());
      return signedIn;
    },

    async logout(cookie) {
      await endCookieSession(cookie);
      return [deps.sessionCookies.formatExpired()];
    },
  };
}

interface Credentials extends LoginForm {
  readonly deviceHash: string | null;
  /** The device's hash if the account has logged in from it. */
  readonly knownDevice: string | null;
}

async function signIn(
  { password, ...login }: Credentials,
  client: Client,
  deps: AccountPartDeps,
): Promise<Result<LoggedIn, Exclude<LoginRefusal, "missing_credentials">>> {
  if (password.length > PASSWORD_LENGTH_MAX) return refuse("invalid_credentials");
  const { database, sessionCookies, devices, time } = deps;
  const found = await findCredentials(database.kysely, login.email);
  // Also without an account, so that the answer takes the same time.
  const isRight = await isPassword(password, found?.hash ?? "");
  if (!isRight || found === null) return refuse("invalid_credentials");
  const token = randomBytes(24).toString("base64url");
  const issued = login.deviceHash === null ? devices.issue() : null;
  const deviceHash = login.deviceHash ?? issued!.hash;
  const recorded = await recordLogin({ ...login, ...found, token, deviceHash }, client, deps);
  if (!recorded.ok) return recorded;
  const session = await loadSession(database.kysely, token, time.now());
  if (session === null) return refuse("invalid_credentials");
  const setCookies = [sessionCookies.format(token), ...(issued === null ? [] : [issued.setCookie])];
  return ok({ session, isFirst: recorded.value.isFirst, setCookies });
}

interface Login {
  readonly playerId: PlayerId;
  readonly email: string;
  readonly hash: string;
  readonly token: string;
  readonly code?: string | undefined;
  readonly deviceHash: string;
  readonly knownDevice: string | null;
}

/**
 * Requires the second factor, begins the session, records the device and mails about a new one.
 * Refuses if password or address changed meanwhile: that change ended all other sessions.
 */
async function recordLogin(
  login: Login,
  { address, userAgent }: Client,
  deps: AccountPartDeps,
): Promise<Result<Pick<LoggedIn, "isFirst">, "invalid_credentials" | "second_factor_required" | CodeRefusal>> {
  const { playerId, email, hash, token, code, deviceHash, knownDevice } = login;
  return await transact(deps.database, async (tx) => {
    // Before the account, as a ban: taking a seat waits, so no trace is missed.
    await lockLimits(tx, playerId);
    const account = await lockAccount(tx, playerId);
    if (account?.email !== email || (await loadPasswordHash(tx, playerId)) !== hash)
      return refuse("invalid_credentials");
    const at = deps.time.now();
    const hasCode = await isSecondFactorOn(tx, playerId);
    if (hasCode) {
      if (code === undefined || code === "") return refuse("second_factor_required");
      const checked = await checkCode(tx, { account, code, guesser: knownDevice }, deps);
      if (!checked.ok) return checked;
    }
    await saveSession(tx, { token, playerId, address, userAgent }, at);
    if (hasCode) await saveSessionCode(tx, token, at);
    const saved = await saveDevice(tx, playerId, deviceHash, at);
    await deps.traces.record(tx, playerId, "device", deviceHash, deps.tableTime.now());
    await deps.traces.record(tx, playerId, "network", address, deps.tableTime.now());
    if (saved === "new")
      await queueAccountNotice(tx, account, { type: "new_device", device: toDevice(userAgent), at }, at, deps);
    return ok({ isFirst: saved === "first" });
  });
}
