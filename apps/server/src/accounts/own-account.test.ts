import { randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { NewMail } from "../platform/mail/outbox.ts";
import { untilOneWaits } from "../platform/testing/lock-waits.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import {
  type Accounts,
  DEVELOPMENT_RATE_LIMITS,
  isEmailVerified,
  loadRole,
  PRODUCTION_RATE_LIMITS,
  saveOwner,
  type Visitor,
} from "./accounts.ts";
import { lockAccount } from "./email/email-links-store.ts";
import { removeSessions } from "./sessions/sessions-store.ts";
import { openTestAccounts, PUBLIC_URL } from "./testing/test-accounts.ts";

const MINUTE_MS = 60_000;
const OLD = "correct horse";
const NEW = "battery staple";
const visitor: Visitor = { address: "192.0.2.1", userAgent: "test", cookie: undefined };
// The auth library reads the machine's clock, so the test time starts there.
const time = makeTestTime(toInstant(Date.now()));

let database: Database;
let accounts: Accounts;
let mails: NewMail[];
let ended: PlayerId[];

function open(rates = DEVELOPMENT_RATE_LIMITS): Accounts {
  return openTestAccounts({
    database,
    time,
    rateLimits: rates,
    queueMail: async (_tx, mail) => void mails.push(mail),
    onSessionsEnded: (playerId) => void ended.push(playerId),
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  accounts = open();
  mails = [];
  ended = [];
});

interface Device {
  readonly cookie: string;
  readonly token: string;
}

interface Person {
  readonly id: PlayerId;
  readonly email: string;
  readonly device: Device;
}

async function logIn(email: string, password = OLD, userAgent = "test"): Promise<Device | string> {
  const answer = await accounts.login({ email, password }, { ...visitor, userAgent });
  if (!answer.ok) return answer.refusal;
  return { cookie: answer.value.setCookies[0]?.split(";")[0] ?? "", token: answer.value.session.token };
}

let count = 0;
/** Registers and logs in, and drops the verification mail. */
async function enter(): Promise<Person> {
  count += 1;
  const username = `person${count}`;
  const email = `${username}@example.com`;
  const registered = await accounts.register({ username, email, password: OLD }, visitor);
  if (!registered.ok) throw new Error(registered.refusal);
  const device = await logIn(email);
  if (typeof device === "string") throw new Error(device);
  const session = await accounts.findSession(device.cookie);
  mails = [];
  return { id: session!.player.id, email, device };
}

async function another({ email }: Person): Promise<Device> {
  const device = await logIn(email);
  if (typeof device === "string") throw new Error(device);
  // Without the notice of the new device.
  mails.length = 0;
  return device;
}

const isAlive = async ({ cookie }: Device): Promise<boolean> => (await accounts.findSession(cookie)) !== null;
const isKnown = async (email: string, password: string): Promise<boolean> =>
  typeof (await logIn(email, password)) !== "string";

function readToken(kind: string): string {
  const mail = mails.findLast((one) => one.kind === kind);
  const found = new RegExp(`^${PUBLIC_URL}/(reset-password|verify-email)\\?token=([A-Za-z0-9_-]{43})$`, "m").exec(
    mail?.text ?? "",
  );
  if (found?.[2] === undefined) throw new Error(`there is no link in a mail of ${kind}`);
  return found[2];
}

const done = { ok: true, value: null };
const refused = (refusal: string) => ({ ok: false, refusal });

describe("a password reset", () => {
  const reset = (password = NEW, token = readToken("reset_password")) =>
    accounts.resetPassword({ token, password }, visitor);

  test("sets a new password by a mailed link, ends every session and notifies the owner [CALL-03]", async () => {
    const person = await enter();
    const phone = await another(person);
    expect(await accounts.sendResetLink(` ${person.email.toUpperCase()} `, visitor)).toEqual(done);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: person.email, expiresAt: time.now() + 10 * MINUTE_MS });
    expect(mails[0]?.text).toContain("for 10 minutes");
    expect(await isAlive(phone)).toBe(true);
    expect(await reset()).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([false, false]);
    expect(ended).toEqual([person.id]);
    expect([await isKnown(person.email, OLD), await isKnown(person.email, NEW)]).toEqual([false, true]);
    expect(mails.at(-1)).toMatchObject({ kind: "password_changed", to: person.email });
    expect(mails.at(-1)?.text).toContain(`${PUBLIC_URL}/forgot-password`);
  });

  test("reveals neither by answer nor by timing whether an address has an account", async () => {
    const person = await enter();
    const tookMs: number[] = [];
    for (const email of [person.email, "nobody@example.com"]) {
      const startedMs = performance.now();
      expect(await accounts.sendResetLink(email, visitor)).toEqual(done);
      tookMs.push(performance.now() - startedMs);
    }
    expect(mails.map(({ to }) => to)).toEqual([person.email]);
    // Both wait for the same moment, well after either is done.
    for (const ms of tookMs) expect(ms).toBeGreaterThanOrEqual(245);
  });

  test("accepts only the newest link, once, for ten minutes [FORGOT-02]", async () => {
    const person = await enter();
    await accounts.sendResetLink(person.email, visitor);
    const first = readToken("reset_password");
    await accounts.sendResetLink(person.email, visitor);
    const second = readToken("reset_password");
    expect(await reset(NEW, first)).toEqual(refused("unusable_reset_link"));
    time.advance(10 * MINUTE_MS - 1);
    expect(await reset(NEW, second)).toEqual(done);
    expect(await reset("another one", second)).toEqual(refused("unusable_reset_link"));
    await accounts.sendResetLink(person.email, visitor);
    time.advance(10 * MINUTE_MS);
    expect(await reset("another one")).toEqual(refused("unusable_reset_link"));
    expect(await isKnown(person.email, NEW)).toBe(true);
  });

  test("sets one password if a link is followed many times at once", async () => {
    const person = await enter();
    await accounts.sendResetLink(person.email, visitor);
    const token = readToken("reset_password");
    const passwords = Array.from({ length: 6 }, (_, i) => `${NEW} ${i}`);
    const answers = await Promise.all(
      passwords.map((password) => accounts.resetPassword({ token, password }, visitor)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const known = [];
    for (const password of passwords) known.push(await isKnown(person.email, password));
    expect(known).toEqual(answers.map(({ ok }) => ok));
  });

  test("refuses forged tokens, tokens of other links and hashes from the database", async () => {
    const person = await enter();
    await accounts.resendVerification(person.id, visitor);
    const other = readToken("verify_email");
    await accounts.sendResetLink(person.email, visitor);
    const token = readToken("reset_password");
    const { rows } = await sql<{ readonly token_hash: string }>`
      select token_hash from email_links where player_id = ${person.id} and purpose = 'reset'`.execute(database.kysely);
    const forged = ["", token.slice(1), `${token}A`, randomBytes(32).toString("base64url"), rows[0]!.token_hash, other];
    for (const one of forged) expect(await reset(NEW, one), one).toEqual(refused("unusable_reset_link"));
    expect(await accounts.verifyEmail(token)).toEqual(refused("unusable_link"));
    const kept = await sql<{ readonly row: string }>`select email_links::text as row from email_links`.execute(
      database.kysely,
    );
    expect(kept.rows.map(({ row }) => row).join()).not.toContain(token);
    expect(await reset()).toEqual(done);
  });

  test("refuses an invalid password without spending the link", async () => {
    const person = await enter();
    await accounts.sendResetLink(person.email, visitor);
    expect(await reset("short")).toEqual(refused("short_password"));
    expect(await reset("x".repeat(129))).toEqual(refused("long_password"));
    expect(await reset("password1")).toEqual(refused("common_password"));
    expect(await reset()).toEqual(done);
  });

  test("voids the link when the address changes", async () => {
    const person = await enter();
    await accounts.sendResetLink(person.email, visitor);
    await sql`update auth_users set email = 'moved-on@example.com' where id = ${person.id}`.execute(database.kysely);
    expect(await reset()).toEqual(refused("unusable_reset_link"));
  });

  test("limits links per requested address, known or not, and per network address", async () => {
    const person = await enter();
    const limited = open({
      ...PRODUCTION_RATE_LIMITS,
      resetPerAccount: { burst: 2, refillMs: MINUTE_MS },
      mailPerAddress: { burst: 5, refillMs: MINUTE_MS },
    });
    for (const email of [person.email, "nobody-2@example.com"]) {
      const answers = [];
      for (let i = 0; i < 3; i += 1) {
        answers.push((await limited.sendResetLink(email, { address: `198.51.100.${i}` })).ok);
      }
      expect(answers).toEqual([true, true, false]);
    }
    for (let i = 0; i < 5; i += 1) {
      expect((await limited.sendResetLink(`nobody-${i + 3}@example.com`, visitor)).ok).toBe(true);
    }
    expect(await limited.sendResetLink("nobody-9@example.com", visitor)).toEqual(refused("too_many_requests"));
  }, 20_000);

  test("admits the owner at the network address of the reset despite others' guesses", async () => {
    const person = await enter();
    // As after a restart: no known addresses.
    const limited = open({ ...DEVELOPMENT_RATE_LIMITS, loginPerAccount: { burst: 3, refillMs: MINUTE_MS } });
    const log = (address: string, password: string) =>
      limited.login({ email: person.email, password }, { ...visitor, address });
    for (let guesses = 0; guesses < 3; guesses += 1) await log(`198.51.100.${guesses}`, "a guess");
    expect(await log("203.0.113.7", OLD)).toEqual(refused("too_many_requests"));
    await limited.sendResetLink(person.email, { address: "203.0.113.7" });
    const token = readToken("reset_password");
    expect(await limited.resetPassword({ token, password: NEW }, { address: "203.0.113.7" })).toEqual(done);
    expect(await log("203.0.113.7", NEW)).toMatchObject({ ok: true });
    expect(await log("198.51.100.9", "a guess")).toEqual(refused("too_many_requests"));
  });

  test("requires a valid address", async () => {
    expect(await accounts.sendResetLink("  ", visitor)).toEqual(refused("missing_email"));
    expect(await accounts.sendResetLink("ada", visitor)).toEqual(refused("bad_email"));
  });
});

describe("a password change", () => {
  test("requires the current password, keeps this session and ends the others", async () => {
    const person = await enter();
    const phone = await another(person);
    const order = { playerId: person.id, token: person.device.token, newPassword: NEW };
    expect(await accounts.changePassword({ ...order, password: "a guess" })).toEqual(refused("wrong_password"));
    expect(await accounts.changePassword({ ...order, password: OLD, newPassword: "123" })).toEqual(
      refused("short_password"),
    );
    expect([await isAlive(phone), ended]).toEqual([true, []]);
    expect(await accounts.changePassword({ ...order, password: OLD })).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    expect(ended).toEqual([person.id]);
    expect([await isKnown(person.email, OLD), await isKnown(person.email, NEW)]).toEqual([false, true]);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([["password_changed", person.email]]);
  });

  test("limits guesses of the current password", async () => {
    const person = await enter();
    const limited = open({ ...PRODUCTION_RATE_LIMITS, loginPerAccount: { burst: 3, refillMs: MINUTE_MS } });
    const order = { playerId: person.id, token: person.device.token, newPassword: NEW };
    for (let i = 0; i < 3; i += 1) await limited.changePassword({ ...order, password: `guess ${i}` });
    expect(await limited.changePassword({ ...order, password: OLD })).toEqual(refused("too_many_requests"));
  });

  test("voids reset and email change links requested before", async () => {
    const person = await enter();
    const asked = { playerId: person.id, password: OLD, email: `thief-${person.email}` };
    await accounts.requestEmailChange(asked, visitor);
    await accounts.sendResetLink(person.email, visitor);
    const [change, reset] = [readToken("new_email"), readToken("reset_password")];
    const order = { playerId: person.id, token: person.device.token, password: OLD, newPassword: NEW };
    expect(await accounts.changePassword(order)).toEqual(done);
    expect(await accounts.verifyEmail(change)).toEqual(refused("unusable_link"));
    expect(await accounts.resetPassword({ token: reset, password: "a third one" }, visitor)).toEqual(
      refused("unusable_reset_link"),
    );
  });
});

describe("an email change", () => {
  const ask = (person: Person, email: string, password = OLD) =>
    accounts.requestEmailChange({ playerId: person.id, password, email }, visitor);

  test("takes effect with its link: verifies, ends other sessions and notifies the old address", async () => {
    const person = await enter();
    const phone = await another(person);
    const newEmail = `new-${person.email}`;
    expect(await ask(person, ` ${newEmail.toUpperCase()}`)).toEqual(done);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([
      ["new_email", newEmail],
      ["email_change_asked", person.email],
    ]);
    expect(mails[1]?.text).not.toContain("token=");
    expect([await isKnown(person.email, OLD), await isKnown(newEmail, OLD)]).toEqual([true, false]);
    const token = readToken("new_email");
    expect(await accounts.verifyEmail(token, person.device.cookie)).toEqual(done);
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    expect(ended).toEqual([person.id]);
    expect(await isEmailVerified(database.kysely, person.id)).toBe(true);
    expect([await isKnown(person.email, OLD), await isKnown(newEmail, OLD)]).toEqual([false, true]);
    expect(mails.findLast(({ kind }) => kind !== "new_device")).toMatchObject({
      kind: "email_changed",
      to: person.email,
    });
    // Following the link again gives the same answer and ends no session.
    expect(await accounts.verifyEmail(token)).toEqual(done);
    expect(await isAlive(person.device)).toBe(true);
  });

  test("ends every session of the account if its link is opened without one", async () => {
    const [person, other] = [await enter(), await enter()];
    await ask(person, `new-${person.email}`);
    expect(await accounts.verifyEmail(readToken("new_email"), other.device.cookie)).toEqual(done);
    expect([await isAlive(person.device), await isAlive(other.device)]).toEqual([false, true]);
  });

  test("answers a taken address alike and notifies its owner", async () => {
    const [person, other] = [await enter(), await enter()];
    const free = await ask(person, `free-${person.email}`);
    const earlier = readToken("new_email");
    mails = [];
    expect(await ask(person, other.email)).toEqual(free);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([
      ["known_new_address", other.email],
      ["email_change_asked", person.email],
    ]);
    // As for a free address, the previous link is void.
    expect(await accounts.verifyEmail(earlier)).toEqual(refused("unusable_link"));
    expect(await isKnown(other.email, OLD)).toBe(true);
  });

  test("refuses an address taken in the meantime", async () => {
    const person = await enter();
    const newEmail = `contested-${person.email}`;
    await ask(person, newEmail);
    const token = readToken("new_email");
    await accounts.register({ username: `other${count}`, email: newEmail, password: OLD }, visitor);
    expect(await accounts.verifyEmail(token)).toEqual(refused("unusable_link"));
    expect(await isKnown(person.email, OLD)).toBe(true);
  });

  test("gives an address to one of two links opened at once", async () => {
    const [first, second] = [await enter(), await enter()];
    await ask(first, "wanted@example.com");
    const firstToken = readToken("new_email");
    await ask(second, "wanted@example.com");
    const secondToken = readToken("new_email");
    const answers = await Promise.all([firstToken, secondToken].map((token) => accounts.verifyEmail(token)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("limits mails per new address over all accounts", async () => {
    const [asker, second, owner] = [await enter(), await enter(), await enter()];
    const rates = { ...DEVELOPMENT_RATE_LIMITS, changePerAddress: { burst: 3, refillMs: MINUTE_MS } };
    for (const [email, most] of [
      ["stranger@example.org", 3],
      [owner.email, 3],
    ] as const) {
      const limited = open(rates);
      mails = [];
      const answers = [];
      for (const { id } of [asker, second, asker, second]) {
        answers.push(await limited.requestEmailChange({ playerId: id, password: OLD, email }, visitor));
      }
      expect(answers).toEqual([done, done, done, refused("too_many_requests")]);
      expect(mails.filter(({ to }) => to === email)).toHaveLength(most);
    }
  });

  test("requires the current password and a different valid address", async () => {
    const person = await enter();
    expect(await ask(person, "")).toEqual(refused("missing_email"));
    expect(await ask(person, "nowhere")).toEqual(refused("bad_email"));
    expect(await ask(person, "free@example.com", "a guess")).toEqual(refused("wrong_password"));
    expect(await ask(person, person.email)).toEqual(refused("email_unchanged"));
    expect(mails).toEqual([]);
  });

  test("voids links to the previous address", async () => {
    const person = await enter();
    await accounts.resendVerification(person.id, visitor);
    await accounts.sendResetLink(person.email, visitor);
    const [verify, reset] = [readToken("verify_email"), readToken("reset_password")];
    await ask(person, `new-${person.email}`);
    expect(await accounts.verifyEmail(readToken("new_email"))).toEqual(done);
    expect(await accounts.verifyEmail(verify)).toEqual(refused("unusable_link"));
    expect(await accounts.resetPassword({ token: reset, password: NEW }, visitor)).toEqual(
      refused("unusable_reset_link"),
    );
  });

  test("leaves the role with the address", async () => {
    const person = await enter();
    await accounts.resendVerification(person.id, visitor);
    await accounts.verifyEmail(readToken("verify_email"));
    await saveOwner(database.kysely, person.email, time.now());
    expect(await loadRole(database.kysely, person.id)).toBe("ceo");
    await ask(person, `new-${person.email}`);
    expect(await loadRole(database.kysely, person.id)).toBe("ceo");
    await accounts.verifyEmail(readToken("new_email"), person.device.cookie);
    expect(await loadRole(database.kysely, person.id)).toBeNull();
    expect((await accounts.findSession(person.device.cookie))?.role).toBeNull();
  });

  test("requires a session of the account for a link to an address with a role [ROLE-21]", async () => {
    const [stranger, victim] = [await enter(), await enter()];
    const wanted = `boss-${victim.email}`;
    await saveOwner(database.kysely, wanted, time.now());
    await ask(stranger, wanted);
    const change = readToken("new_email");
    for (const cookie of [undefined, victim.device.cookie]) {
      expect(await accounts.verifyEmail(change, cookie)).toEqual(refused("link_login_required"));
    }
    await saveOwner(database.kysely, stranger.email, time.now());
    await accounts.resendVerification(stranger.id, visitor);
    const verify = readToken("verify_email");
    expect(await accounts.verifyEmail(verify)).toEqual(refused("link_login_required"));
    expect(await loadRole(database.kysely, stranger.id)).toBeNull();
    // The link is not spent: its owner logs in and follows it.
    expect(await accounts.verifyEmail(verify, stranger.device.cookie)).toEqual(done);
    expect(await loadRole(database.kysely, stranger.id)).toBe("ceo");
    await saveOwner(database.kysely, "nobody@example.org", time.now());
  });

  test("grants an address's role only after the address is verified", async () => {
    const person = await enter();
    await saveOwner(database.kysely, `boss-${person.email}`, time.now());
    await ask(person, `boss-${person.email}`);
    expect(await loadRole(database.kysely, person.id)).toBeNull();
    await accounts.verifyEmail(readToken("new_email"), person.device.cookie);
    expect(await loadRole(database.kysely, person.id)).toBe("ceo");
  });
});

describe("sessions", () => {
  test("are listed with browser and last use, the current one first, without token", async () => {
    const person = await enter();
    const phone = await logIn(
      person.email,
      OLD,
      "Mozilla/5.0 (Linux; Android 10; K) Chrome/141.0.0.0 Mobile Safari/537.36",
    );
    if (typeof phone === "string") throw new Error(phone);
    const listed = await accounts.listSessions({ playerId: person.id, token: phone.token });
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect(listed[0]?.userAgent).toContain("Android");
    for (const { token } of [phone, person.device]) expect(JSON.stringify(listed)).not.toContain(token);
  });

  test("record their last use by a request or an open socket", async () => {
    const person = await enter();
    const phone = await another(person);
    const seen = async () => {
      const listed = await accounts.listSessions({ playerId: person.id, token: phone.token });
      return listed.map(({ seenAt }) => seenAt);
    };
    time.advance(20 * MINUTE_MS);
    await accounts.findSession(phone.cookie);
    expect((await seen())[0]).toBe(time.now());
    expect((await seen())[1]).toBeLessThan(time.now() - 10 * MINUTE_MS);
    await accounts.recordSeen([person.device.token]);
    expect(await seen()).toEqual([time.now(), time.now()]);
  });

  test("end one at a time or all together, but only the player's own", async () => {
    const [person, other] = [await enter(), await enter()];
    const phone = await another(person);
    const idOf = async (token: string, playerId = person.id) =>
      (await accounts.listSessions({ playerId, token })).find(({ isCurrent }) => isCurrent)!.id;
    await accounts.endSession(person.id, await idOf(other.device.token, other.id));
    expect(await isAlive(other.device)).toBe(true);
    await accounts.endSession(person.id, await idOf(phone.token));
    expect([await isAlive(person.device), await isAlive(phone)]).toEqual([true, false]);
    const tablet = await another(person);
    await accounts.endAllSessions(person.id);
    expect([await isAlive(person.device), await isAlive(tablet)]).toEqual([false, false]);
    expect(await isAlive(other.device)).toBe(true);
    expect(new Set(ended)).toEqual(new Set([person.id]));
  });
});

test.each([
  [
    "a password",
    (tx: Tx, id: PlayerId) => sql`update auth_accounts set password = 'another' where user_id = ${id}`.execute(tx),
  ],
  [
    "an address",
    (tx: Tx, id: PlayerId) =>
      sql`update auth_users set email = ${`moved-${id}@example.com`} where id = ${id}`.execute(tx),
  ],
])("refuse a login by %s that changes during the login", async (_what, change) => {
  const { id, email } = await enter();
  const logins: ReturnType<Accounts["login"]>[] = [];
  await transact(database, async (tx) => {
    await lockAccount(tx, id);
    await change(tx, id);
    await removeSessions(tx, id, null);
    logins.push(accounts.login({ email, password: OLD }, visitor));
    await untilOneWaits(database);
  });
  expect(await Promise.all(logins)).toEqual([refused("invalid_credentials")]);
  const { rows } = await sql`select from auth_sessions where user_id = ${id}`.execute(database.kysely);
  expect(rows).toHaveLength(0);
});

test("deletes expired sessions, and links a month after they expired", async () => {
  const { id } = await enter();
  const count = async () => {
    const { rows } = await sql<{ readonly sessions: number; readonly links: number }>`
      select (select count(*)::int from auth_sessions where user_id = ${id}) as sessions,
        (select count(*)::int from email_links where player_id = ${id}) as links`.execute(database.kysely);
    return rows[0];
  };
  const endAgo = async (sessionMs: number, linkMs: number) => {
    const at = (ms: number) => sql`${new Date(time.now() - ms)}::timestamptz`;
    await sql`update auth_sessions set expires_at = ${at(sessionMs)} where user_id = ${id}`.execute(database.kysely);
    await sql`update email_links set expires_at = ${at(linkMs)} where player_id = ${id}`.execute(database.kysely);
    await accounts.removeExpiredData();
    return await count();
  };
  expect(await endAgo(-1_000, 29 * 24 * 60 * MINUTE_MS)).toEqual({ sessions: 1, links: 1 });
  expect(await endAgo(1_000, 31 * 24 * 60 * MINUTE_MS)).toEqual({ sessions: 0, links: 0 });
});
