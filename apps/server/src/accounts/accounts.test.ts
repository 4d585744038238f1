import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, toInstant } from "@holo/kernel/instant.ts";
import { PROFILE_DEFAULTS } from "@holo/protocol/accounts/profile.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import type { NewMail, QueueMail } from "../platform/mail/outbox.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import {
  type Accounts,
  acceptsTakebacks,
  type Client,
  DEVELOPMENT_RATE_LIMITS,
  findPlayers,
  findProfile,
  type Player,
  PRODUCTION_RATE_LIMITS,
  searchPlayers,
} from "./accounts.ts";
import { addDevelopmentPlayers } from "./development-players.ts";
import { openTestAccounts, PUBLIC_URL } from "./testing/test-accounts.ts";
import { addTestPlayers } from "./testing/test-players.ts";

const client: Client = { address: "192.0.2.1", userAgent: "test", cookie: undefined };
const password = "correct horse";

let database: Database;
let accounts: Accounts;
const time = makeTestTime(toInstant(Date.now()));
const created: string[] = [];
const mails: NewMail[] = [];
const queueMail: QueueMail = async (_tx, mail) => void mails.push(mail);

function open(rates = DEVELOPMENT_RATE_LIMITS): Accounts {
  return openTestAccounts({
    database,
    time,
    rateLimits: rates,
    onPlayerCreated: async (_tx, playerId) => {
      created.push(playerId);
    },
    queueMail,
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = open();
});

afterAll(() => database.close());

function toCookie(setCookies: readonly string[]): string {
  return setCookies.map((cookie) => cookie.split(";")[0]).join("; ");
}

async function register(username: string): Promise<Player> {
  const answer = await accounts.register({ username, email: `${username}@example.com`, password }, client);
  if (!answer.ok) throw new Error(answer.refusal);
  return await findNamed(username);
}

async function findNamed(username: string): Promise<Player> {
  const { rows } = await sql<Player>`select id, username from profiles where username = ${username}`.execute(
    database.kysely,
  );
  if (rows[0] === undefined) throw new Error(`${username} has no profile`);
  return rows[0];
}

async function login(username: string, cookie?: string) {
  const loggedIn = await accounts.login({ email: `${username}@example.com`, password }, { ...client, cookie });
  if (!loggedIn.ok) throw new Error(loggedIn.refusal);
  return { ...loggedIn.value, cookie: toCookie(loggedIn.value.setCookies) };
}

// [ROLE-12 §6,7 r26] The session is a cookie that scripts cannot read. A socket from another site is refused.
test("registers, logs in and is recognised by the cookie [ROLE-12]", async () => {
  const player = await register("Kemi");
  expect(created).toContain(player.id);
  const { session, setCookies, cookie } = await login("kemi");
  expect(session.player).toEqual({
    id: player.id,
    username: "Kemi",
    email: "kemi@example.com",
    emailVerified: false,
    ...PROFILE_DEFAULTS,
  });
  expect(setCookies).toHaveLength(2);
  expect(setCookies[0]).toMatch(/^holo_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(setCookies[1]).toMatch(/^holo_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(await accounts.findSession(`theme=day; ${cookie}`)).toEqual(session);
  expect(await findPlayers(database.kysely, [player.id])).toEqual(
    new Map([[player.id, { id: player.id, username: "Kemi" }]]),
  );
  expect(await findProfile(database.kysely, player.id)).toEqual({ player, sinceAt: time.now() });
  expect(await findProfile(database.kysely, "nobody-here" as PlayerId)).toBeNull();
});

test("binds the cookie to the host and to TLS in production", async () => {
  const secure = openTestAccounts({
    database,
    time,
    publicUrl: "https://arena.example",
    secureCookies: true,
    queueMail,
  });
  await register("tls");
  const loggedIn = await secure.login({ email: "tls@example.com", password }, client);
  expect(loggedIn.ok && loggedIn.value.setCookies[0]).toMatch(
    /^__Host-holo_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await secure.logout(undefined)).toEqual([
    "__Host-holo_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
});

test.each([
  [{ username: " ", email: "a@example.com", password }, "missing_fields"],
  [{ username: "ab", email: "a@example.com", password }, "bad_username"],
  [{ username: "a".repeat(21), email: "a@example.com", password }, "bad_username"],
  [{ username: "no spaces", email: "a@example.com", password }, "bad_username"],
  [{ username: "évé", email: "a@example.com", password }, "bad_username"],
  [{ username: "Adm1n", email: "a@example.com", password }, "reserved_username"],
  [{ username: "good", email: "nobody", password }, "bad_email"],
  // The domain of deleted accounts.
  [{ username: "good", email: "gone-0123456789@left.invalid", password }, "bad_email"],
  [{ username: "good", email: `${"a".repeat(250)}@example.com`, password }, "bad_email"],
  [{ username: "good", email: "a@example.com", password: "12345" }, "short_password"],
  [{ username: "good", email: "a@example.com", password: "x".repeat(129) }, "long_password"],
  [{ username: "good", email: "a@example.com", password: "Password1" }, "common_password"],
])("refuses the registration %o as %s [VALID-03]", async (form, refusal) => {
  expect(await accounts.register(form, client)).toEqual({ ok: false, refusal });
});

// [ENT-02 §3 r24] A username has 3 to 20 letters, digits, _ or -, and is unique regardless of case.
test("compares usernames and addresses case-insensitively, and leaves nothing of a refused registration [ENT-02]", async () => {
  await register("Chidi");
  const before = await sql`select count(*) from players`.execute(database.kysely);
  const form = { username: "CHIDI", email: "other@example.com", password };
  expect(await accounts.register(form, client)).toEqual({ ok: false, refusal: "username_taken" });
  const sameEmail = { username: "other", email: " CHIDI@Example.com ", password };
  expect(await accounts.register(sameEmail, client)).toEqual({ ok: true, value: null });
  expect(await sql`select count(*) from players`.execute(database.kysely)).toEqual(before);
});

test("answers a registration with a known address alike, and mails its owner at most twice", async () => {
  await register("Halima");
  const strict = open({ ...DEVELOPMENT_RATE_LIMITS, registerPerAccount: PRODUCTION_RATE_LIMITS.registerPerAccount });
  mails.length = 0;
  const form = { username: "somebody-new", email: "halima@example.com", password: "another horse" };
  for (let i = 0; i < 3; i += 1) expect(await strict.register(form, client)).toEqual({ ok: true, value: null });
  const mail = { kind: "known_address", to: "halima@example.com", subject: "You already have an account" };
  expect(mails).toMatchObject([mail, mail]);
  for (const said of [mails[0]?.text, mails[0]?.html]) {
    expect(said).toContain("Hello Halima.");
    expect(said).toContain(`${PUBLIC_URL}/login`);
    expect(said).not.toContain("somebody-new");
  }
  expect((await login("halima")).session.player.username).toBe("Halima");
  expect(await accounts.login({ ...form, email: form.email }, client)).toMatchObject({
    refusal: "invalid_credentials",
  });
  expect(await strict.register({ ...form, email: "new@example.com" }, client)).toEqual({ ok: true, value: null });
  expect(mails.at(-1)).toMatchObject({ kind: "verify_email", to: "new@example.com" });
  // Usernames are public, so a taken one is refused for any address.
  expect(await strict.register({ ...form, username: "halima" }, client)).toMatchObject({ refusal: "username_taken" });
});

test("gives an address to one of ten concurrent registrations, and answers all alike", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      accounts.register({ username: `crowd${i}`, email: "crowd@example.com", password }, client),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 10 }, () => ({ ok: true, value: null })));
  const { rows } = await sql`select from players where email = 'crowd@example.com'`.execute(database.kysely);
  expect(rows).toHaveLength(1);
});

test("gives a username to one of ten concurrent registrations", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      accounts.register({ username: "Race", email: `race${i}@example.com`, password }, client),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.filter((answer) => !answer.ok && answer.refusal === "username_taken")).toHaveLength(9);
});

test("rolls back an account whose wallet could not be opened", async () => {
  const failing = openTestAccounts({
    database,
    time,
    onPlayerCreated: () => Promise.reject(new Error("no wallet today")),
    queueMail,
  });
  const form = { username: "halfway", email: "halfway@example.com", password };
  await expect(failing.register(form, client)).rejects.toThrow("no wallet today");
  expect((await accounts.register(form, client)).ok).toBe(true);
});

// [ERR-01 §8 r24] A failed login shows 'Login failed' and 'Invalid email or password. Please try again.', alike for
// both errors.
test.each([
  ["an unknown address", { email: "stranger@example.com", password }],
  ["a wrong password", { email: "ngozi@example.com", password: "wrong horse" }],
  ["no address at all", { email: "ngozi", password }],
  ["a password beyond all bounds", { email: "ngozi@example.com", password: "x".repeat(200) }],
])("refuses a login with %s with the same answer [ERR-01]", async (_what, form) => {
  await accounts.register({ username: "ngozi", email: "ngozi@example.com", password }, client);
  expect(await accounts.login(form, client)).toEqual({ ok: false, refusal: "invalid_credentials" });
});

test("refuses a login without address or password", async () => {
  expect(await accounts.login({ email: " ", password }, client)).toEqual({
    ok: false,
    refusal: "missing_credentials",
  });
  const noPassword = { email: "a@example.com", password: "" };
  expect(await accounts.login(noPassword, client)).toEqual({ ok: false, refusal: "missing_credentials" });
});

test("replaces the visitor's session at login and ends it at logout", async () => {
  await register("tunde");
  const first = await login("tunde");
  const second = await login("tunde", first.cookie);
  expect(await accounts.findSession(first.cookie)).toBeNull();
  const tokens = [first.session.token, second.session.token];
  expect(await accounts.checkSessions(tokens)).toEqual(new Set([second.session.token]));
  const forget = await accounts.logout(second.cookie);
  expect(forget).toEqual(["holo_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
  expect(await accounts.findSession(second.cookie)).toBeNull();
  expect(await accounts.checkSessions(tokens)).toEqual(new Set());
});

test("rejects a cookie that is altered, cut or signed with another secret", async () => {
  await register("forged");
  const { cookie, session } = await login("forged");
  const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=", 2);
  const signature = value.slice(value.indexOf("."));
  for (const forged of [
    "",
    "x",
    session.token,
    `${session.token}.`,
    `${"A".repeat(32)}${signature}`,
    value.slice(0, -3),
  ]) {
    expect(await accounts.findSession(`${name}=${forged}`)).toBeNull();
  }
  expect(await accounts.findSession(`other=${value}`)).toBeNull();
  expect(await accounts.findSession(undefined)).toBeNull();
});

test("renews a session in use once a day and ends an unused one after a week", async () => {
  await register("renewed");
  const { cookie, session } = await login("renewed");
  expect(await accounts.renewSession(session, { ...client, cookie })).toEqual([]);
  await sql`update sessions set renewed_at = renewed_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
    where token = ${session.token}`.execute(database.kysely);
  const aged = await accounts.findSession(cookie);
  expect(aged).not.toBeNull();
  if (aged === null) return;
  const renewed = await accounts.renewSession(aged, { ...client, cookie });
  expect(cookie.startsWith(`${toCookie(renewed)};`)).toBe(true);
  const { rows } = await sql<{
    expires_at: Date;
  }>`select expires_at from sessions where token = ${session.token}`.execute(database.kysely);
  expect(rows[0]?.expires_at.getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY_MS);
  await sql`update sessions set expires_at = ${new Date(time.now() - 1)} where token = ${session.token}`.execute(
    database.kysely,
  );
  expect(await accounts.findSession(cookie)).toBeNull();
  expect(await accounts.checkSessions([session.token])).toEqual(new Set());
});

test("finds players by part of their name, without wildcards", async () => {
  const player = await register("Needle_in-Hay");
  expect(await searchPlayers(database.kysely, "eDLe_IN")).toEqual([player.id]);
  expect(await searchPlayers(database.kysely, "needle%hay")).toEqual([]);
  expect(await searchPlayers(database.kysely, "needle\\_in")).toEqual([]);
  expect(await searchPlayers(database.kysely, "needl__in")).toEqual([]);
  expect(await searchPlayers(database.kysely, "needle\u0000")).toEqual([]);
  const longer = Array.from({ length: 200 }, (_, number) => `a${number}-Needle_in-Hay`);
  await addTestPlayers(database, longer, "secret");
  expect(await searchPlayers(database.kysely, "needle_in-hay")).toContain(player.id);
});

test("changes settings independently", async () => {
  const player = await register("quiet");
  const off = await accounts.updateProfile(player.id, { soundEnabled: false });
  expect(off).toMatchObject({ id: player.id, notificationsEnabled: true, soundEnabled: false });
  const both = await accounts.updateProfile(player.id, { notificationsEnabled: false });
  expect(both).toMatchObject({ notificationsEnabled: false, soundEnabled: false, takebacksEnabled: true });
  expect(await acceptsTakebacks(database.kysely, player.id)).toBe(true);
  const none = await accounts.updateProfile(player.id, { takebacksEnabled: false });
  expect(none).toMatchObject({ notificationsEnabled: false, takebacksEnabled: false });
  expect(await accounts.updateProfile(player.id, {})).toEqual(none);
  expect(await acceptsTakebacks(database.kysely, player.id)).toBe(false);
});

// [ROLE-35 §6] A stranger of one network who guesses at a password locks no one else out: the owner logs in from a
// new device. Where strangers of many networks guess, known devices and a password reset still log in.
test("throttles guesses at an account from everywhere, but not its owner at a known address [ROLE-35]", async () => {
  const loginPerAccountAndAddress = { burst: 2, refillMs: 60_000 };
  const strict = open({
    ...DEVELOPMENT_RATE_LIMITS,
    loginPerAccount: { burst: 3, refillMs: 1_000 },
    loginPerAccountAndAddress,
  });
  await register("target");
  const owner = { email: "target@example.com", password };
  expect((await strict.login(owner, client)).ok).toBe(true);
  const guess = { email: "target@example.com", password: "a wrong guess" };
  for (let i = 0; i < 3; i += 1) {
    const answer = await strict.login(guess, { ...client, address: `198.51.100.${i}` });
    expect(answer).toEqual({ ok: false, refusal: "invalid_credentials" });
  }
  const elsewhere = { ...client, address: "198.51.100.9" };
  expect(await strict.login(owner, elsewhere)).toEqual({ ok: false, refusal: "too_many_requests" });
  expect((await strict.login(owner, client)).ok).toBe(true);
  time.advance(1_000);
  expect((await strict.login(owner, elsewhere)).ok).toBe(true);
  // One stranger, however busy, does not refuse the owner on a new device.
  for (let i = 0; i < 20; i += 1) {
    await strict.login(guess, { ...client, address: "198.51.100.77" });
    time.advance(500);
  }
  expect((await strict.login(owner, { ...client, address: "198.51.100.10" })).ok).toBe(true);
});

test("limits the sessions that an account begins, whatever others guess meanwhile", async () => {
  const strict = open({ ...DEVELOPMENT_RATE_LIMITS, sessionsPerAccount: { burst: 2, refillMs: 1_000 } });
  await register("collector");
  const owner = { email: "collector@example.com", password };
  for (let i = 0; i < 4; i += 1) await strict.login({ ...owner, password: "a wrong guess" }, client);
  for (let i = 0; i < 2; i += 1) expect((await strict.login(owner, client)).ok).toBe(true);
  expect(await strict.login(owner, client)).toEqual({ ok: false, refusal: "too_many_requests" });
  time.advance(1_000);
  expect((await strict.login(owner, client)).ok).toBe(true);
});

test("throttles an address that registers many players, without affecting others [OPS-18]", async () => {
  const strict = open({ ...PRODUCTION_RATE_LIMITS, registerPerAddress: { burst: 1, refillMs: 1_000 } });
  const form = (name: string) => ({ username: name, email: `${name}@example.com`, password });
  expect((await strict.register(form("first"), client)).ok).toBe(true);
  expect(await strict.register(form("second"), client)).toEqual({ ok: false, refusal: "too_many_requests" });
  expect((await strict.register(form("third"), { ...client, address: "192.0.2.2" })).ok).toBe(true);
  time.advance(1_000);
  expect((await strict.register(form("second"), client)).ok).toBe(true);
});

test("lets known devices log in after others used up the logins of their address [OPS-18]", async () => {
  const strict = open({ ...DEVELOPMENT_RATE_LIMITS, loginPerAddress: { burst: 2, refillMs: 1_000 } });
  await register("carried");
  const { cookie } = await login("carried");
  const form = { email: "carried@example.com", password };
  const carrier = { ...client, address: "203.0.113.40" };
  const guess = { email: "nobody@example.com", password: "a guess" };
  for (let i = 0; i < 2; i += 1) await strict.login(guess, carrier);
  expect(await strict.login(form, carrier)).toEqual({ ok: false, refusal: "too_many_requests" });
  for (let i = 0; i < 5; i += 1) expect((await strict.login(form, { ...carrier, cookie })).ok).toBe(true);
  time.advance(1_000);
  expect((await strict.login({ ...form, email: "nobody@example.com" }, carrier)).ok).toBe(false);
  expect((await strict.login(form, { ...carrier, address: "203.0.113.41" })).ok).toBe(true);
});

function flood(count: number) {
  const answers: string[] = [];
  const done = Array.from({ length: count }, async (_, index) => {
    const from = { ...client, address: `198.51.100.${index % 200}` };
    const answer = await accounts.login({ email: `guess${index}@example.com`, password: "wrong horse" }, from);
    answers.push(answer.ok ? "done" : answer.refusal);
  });
  return { answers, end: () => Promise.all(done) };
}

const fromElsewhere = (cookie?: string): Client => ({ ...client, address: "203.0.113.7", cookie });

// [ROLE-23 §6] While a flood of logins or registrations runs, players log in from devices that they have used before,
// and confirm with their password, without delay.
test("lets known devices and sessions pass a flood of logins [ROLE-23]", async () => {
  const player = await register("flooded");
  const { cookie } = await login("flooded");
  const form = { email: "flooded@example.com", password };
  const attack = flood(1_000);
  const [known, confirmed] = await Promise.all([
    accounts.login(form, fromElsewhere(cookie)),
    accounts.confirmPassword(player.id, password),
  ]);
  expect([known.ok, confirmed.ok]).toEqual([true, true]);
  await attack.end();
  expect(attack.answers.filter((answer) => answer === "too_many_requests").length).toBeGreaterThan(900);
});

test("refuses a flood of logins without the database and without a hash", async () => {
  const { max = 0 } = database.pool.options;
  const clients = await Promise.all(Array.from({ length: max }, () => database.pool.connect()));
  // Those in the queues wait for a connection; all others are refused while there is none.
  const attack = flood(200);
  await expect.poll(() => attack.answers.length).toBeGreaterThan(150);
  expect(new Set(attack.answers)).toEqual(new Set(["too_many_requests"]));
  for (const client of clients) client.release();
  await attack.end();
});

test("A login from a device on which the account was never used sends its owner a mail [ROLE-24 §6 r40]", async () => {
  await register("travelling");
  const count = () => mails.filter(({ kind }) => kind === "new_device").length;
  const before = count();
  const { cookie } = await login("travelling");
  await login("travelling", cookie);
  expect(count()).toBe(before);
  await login("travelling");
  expect(count()).toBe(before + 1);
  expect(mails.at(-1)).toMatchObject({ to: "travelling@example.com", subject: "New login to your account" });
  expect(mails.at(-1)?.text).toContain("Unknown device");
});

test("adds verified development players at the first start only", async () => {
  const own = await createTestDatabase();
  const given: string[] = [];
  const development = openTestAccounts({
    database: own,
    time,
    queueMail,
    onPlayerCreated: async () => {
      given.push("wallet");
    },
  });
  const options = {
    database: own,
    time,
    accounts: development,
    creditOpeningBalance: async () => {
      given.push("coins");
    },
  };
  expect(await addDevelopmentPlayers(options)).toEqual(["ada@example.com", "bola@example.com", "owner@example.com"]);
  expect(given).toEqual(["wallet", "coins", "wallet", "coins", "wallet"]);
  expect(await addDevelopmentPlayers(options)).toEqual([]);
  const ada = await development.login({ email: "ada@example.com", password: "holo-arena" }, client);
  expect(ada.ok && ada.value.session.player).toMatchObject({ username: "ada", emailVerified: true });
  await own.close();
});

test("confirms the player's own password only, and limits guesses", async () => {
  const strict = open(PRODUCTION_RATE_LIMITS);
  const ada = await register("confirming-ada");
  expect(await strict.confirmPassword(ada.id, password)).toMatchObject({ ok: true });
  expect(await strict.confirmPassword("nobody-at-all" as PlayerId, password)).toEqual({
    ok: false,
    refusal: "wrong_password",
  });
  const { burst } = PRODUCTION_RATE_LIMITS.loginPerAccount;
  for (let i = 0; i < burst; i += 1) {
    expect(await strict.confirmPassword(ada.id, "wrong horse")).toEqual({ ok: false, refusal: "wrong_password" });
  }
  expect(await strict.confirmPassword(ada.id, password)).toEqual({ ok: false, refusal: "too_many_requests" });
});
