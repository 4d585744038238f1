import { randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { type Accounts, type Client, DEVELOPMENT_RATE_LIMITS, isEmailVerified } from "../accounts.ts";
import { openTestAccounts, PUBLIC_URL } from "../testing/test-accounts.ts";

const client: Client = { address: "192.0.2.1", userAgent: "test", cookie: undefined };
const time = makeTestTime();

let database: Database;
let accounts: Accounts;
let mails: NewMail[];

function open(rates = DEVELOPMENT_RATE_LIMITS): Accounts {
  return openTestAccounts({
    database,
    time,
    rateLimits: rates,
    queueMail: async (_tx, mail) => {
      mails.push(mail);
    },
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  mails = [];
  accounts = open();
});

let count = 0;
async function register(name?: string): Promise<PlayerId> {
  count += 1;
  const username = name ?? `player${count}`;
  const form = { username, email: `${username}@example.com`, password: "correct horse" };
  const answer = await accounts.register(form, client);
  if (!answer.ok) throw new Error(answer.refusal);
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select id from profiles where username = ${username}`.execute(database.kysely);
  const { id } = rows[0]!;
  cookies.set(id, await logIn(form.email));
  return id;
}

const cookies = new Map<PlayerId, string>();

async function logIn(email: string): Promise<string> {
  const answer = await accounts.login({ email, password: "correct horse" }, client);
  if (!answer.ok) throw new Error(answer.refusal);
  return answer.value.setCookies[0]?.split(";")[0] ?? "";
}

const follow = (playerId: PlayerId, token = readToken()) => accounts.verifyEmail(token, cookies.get(playerId));

function readToken(mail = mails.at(-1)): string {
  const found = new RegExp(`^${PUBLIC_URL}/verify-email\\?token=([A-Za-z0-9_-]{43})$`, "m").exec(mail?.text ?? "");
  if (found?.[1] === undefined) throw new Error("there is no link in the mail");
  return found[1];
}

const isVerified = (playerId: PlayerId) => isEmailVerified(database.kysely, playerId);
const unusable = { ok: false, refusal: "unusable_link" };

test("mails a verification link after registration", async () => {
  const playerId = await register("Amaka");
  expect(mails).toHaveLength(1);
  const [mail] = mails;
  expect(mail).toMatchObject({ kind: "verify_email", to: "amaka@example.com", expiresAt: time.now() + DAY_MS });
  for (const said of [mail?.text, mail?.html]) {
    expect(said).toContain("Hello Amaka.");
    expect(said).toContain("for 24 hours");
    expect(said).toContain(`${PUBLIC_URL}/verify-email?token=${readToken()}`);
  }
  expect(await isVerified(playerId)).toBe(false);
  expect(await follow(playerId)).toEqual({ ok: true, value: null });
  expect(await isVerified(playerId)).toBe(true);
  const loggedIn = await accounts.login({ email: "amaka@example.com", password: "correct horse" }, client);
  expect(loggedIn.ok && loggedIn.value.session.player.emailVerified).toBe(true);
});

// [ROLE-29 §6 r24,25] A verification link works only in a session of its account, so the owner of an address verifies
// no account that a stranger registered with it. Without a session the page asks to log in and comes back.
test("verifies no stranger's account for the owner of its address [ROLE-29]", async () => {
  const stranger = await register("victims-address");
  const token = readToken();
  const victim = await register();
  const refused = { ok: false, refusal: "link_login_required" };
  for (const cookie of [undefined, cookies.get(victim)]) {
    expect(await accounts.verifyEmail(token, cookie)).toEqual(refused);
  }
  expect(await isVerified(stranger)).toBe(false);
  // The link is still there for a person with both the mail and the password.
  expect(await follow(stranger, token)).toEqual({ ok: true, value: null });
});

test("stores the token in the mail only", async () => {
  await register();
  const { rows } = await sql<{ readonly row: string }>`select email_links::text as row from email_links`.execute(
    database.kysely,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ row }) => row).join()).not.toContain(readToken());
});

test("answers a used link alike while the address is still the account's", async () => {
  const playerId = await register();
  await follow(playerId);
  time.advance(2 * DAY_MS);
  expect(await accounts.verifyEmail(readToken())).toEqual({ ok: true, value: null });
  await sql`update players set email = 'moved@example.com', email_verified = false where id = ${playerId}`.execute(
    database.kysely,
  );
  expect(await accounts.verifyEmail(readToken())).toEqual(unusable);
  expect(await isVerified(playerId)).toBe(false);
});

test("refuses a link to an address that the account no longer has", async () => {
  const playerId = await register();
  await sql`update players set email = 'elsewhere@example.com' where id = ${playerId}`.execute(database.kysely);
  expect(await accounts.verifyEmail(readToken())).toEqual(unusable);
  expect(await isVerified(playerId)).toBe(false);
});

test("expires a link after exactly one day", async () => {
  const inTime = await register();
  const early = readToken();
  const late = await register();
  time.advance(DAY_MS - 1);
  expect(await follow(inTime, early)).toEqual({ ok: true, value: null });
  time.advance(1);
  expect(await accounts.verifyEmail(readToken())).toEqual(unusable);
  expect([await isVerified(inTime), await isVerified(late)]).toEqual([true, false]);
});

test("refuses forged, cut and altered tokens, and hashes from the database", async () => {
  const playerId = await register();
  const token = readToken();
  const { rows } = await sql<{
    readonly token_hash: string;
  }>`select token_hash from email_links where player_id = ${playerId}`.execute(database.kysely);
  const forged = [
    "",
    token.slice(1),
    `${token}A`,
    ` ${token}`,
    token.toLowerCase(),
    randomBytes(32).toString("base64url"),
    rows[0]!.token_hash,
    "\u0000",
    "' or true --",
  ];
  for (const one of forged) expect(await accounts.verifyEmail(one), one).toEqual(unusable);
  expect(await isVerified(playerId)).toBe(false);
});

test("voids the previous link with a new one", async () => {
  const playerId = await register();
  const first = readToken();
  expect(await accounts.resendVerification(playerId)).toEqual({ ok: true, value: null });
  expect(mails).toHaveLength(2);
  expect(await accounts.verifyEmail(first)).toEqual(unusable);
  expect(await follow(playerId)).toEqual({ ok: true, value: null });
});

test("accepts only the last of several links requested at once", async () => {
  const playerId = await register();
  await Promise.all(Array.from({ length: 8 }, () => accounts.resendVerification(playerId)));
  expect(mails).toHaveLength(9);
  const answers = [];
  for (const mail of mails) answers.push(await follow(playerId, readToken(mail)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await isVerified(playerId)).toBe(true);
});

test("verifies once if a link is followed many times at once", async () => {
  const playerId = await register();
  const answers = await Promise.all(Array.from({ length: 8 }, () => follow(playerId)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(await isVerified(playerId)).toBe(true);
});

test("sends no link to a verified address, with the same answer", async () => {
  const playerId = await register();
  await follow(playerId);
  expect(await accounts.resendVerification(playerId)).toEqual({ ok: true, value: null });
  expect(mails).toHaveLength(1);
});

test("limits mails per account, whatever others of its network address ask for [OPS-18]", async () => {
  const limited = open({
    ...DEVELOPMENT_RATE_LIMITS,
    mailPerAccount: { burst: 3, refillMs: 60_000 },
    mailPerAddress: { burst: 1, refillMs: DAY_MS },
  });
  const [first, second] = [await register(), await register()];
  mails = [];
  const refused = { ok: false, refusal: "too_many_requests" };
  expect((await limited.sendResetLink("somebody@example.com", client)).ok).toBe(true);
  expect(await limited.sendResetLink("somebody@example.com", client)).toEqual(refused);
  for (let i = 0; i < 3; i += 1) expect((await limited.resendVerification(first)).ok).toBe(true);
  expect(await limited.resendVerification(first)).toEqual(refused);
  expect(mails).toHaveLength(3);
  expect((await limited.resendVerification(second)).ok).toBe(true);
  time.advance(60_000);
  expect((await limited.resendVerification(first)).ok).toBe(true);
});

// [ROLE-28 §6 r24] Accounts that are registered, deleted and registered again do not flood a stranger: mails to one
// address and its spellings are limited, with the same answer, and the last link stays valid.
test("limits mails to an address over all its accounts, and keeps the last link [ROLE-28]", async () => {
  const limited = open({
    ...DEVELOPMENT_RATE_LIMITS,
    registerPerAccount: { burst: 2, refillMs: DAY_MS },
    verificationPerEmail: { burst: 3, refillMs: 60_000 },
  });
  for (let round = 0; round < 3; round += 1) {
    const form = { username: `flood${round}`, email: `target+${round}@gmail.com`, password: "correct horse" };
    expect(await limited.register(form, client)).toEqual({ ok: true, value: null });
    expect(await limited.register({ ...form, username: `again${round}` }, client)).toEqual({ ok: true, value: null });
    const { rows } = await sql<{ readonly id: PlayerId }>`
      select id from profiles where username = ${form.username}`.execute(database.kysely);
    expect(await limited.resendVerification(rows[0]!.id)).toEqual({ ok: true, value: null });
  }
  const kinds = mails.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([
    ...Array.from({ length: 2 }, () => "known_address"),
    ...Array.from({ length: 3 }, () => "verify_email"),
  ]);
  const last = readToken(mails.findLast(({ kind }) => kind === "verify_email"));
  expect(await limited.verifyEmail(last, await logIn("target+1@gmail.com"))).toEqual({ ok: true, value: null });
  time.advance(60_000);
  const form = { username: "flood9", email: "t.arget@gmail.com", password: "correct horse" };
  expect(await limited.register(form, client)).toEqual({ ok: true, value: null });
  expect(mails.at(-1)).toMatchObject({ kind: "verify_email", to: "t.arget@gmail.com" });
});

test("limits reset links to an address that was never verified, over all its accounts [ROLE-28]", async () => {
  const limited = open({ ...DEVELOPMENT_RATE_LIMITS, resetPerAccount: { burst: 3, refillMs: 60_000 } });
  const spellings = Array.from({ length: 5 }, (_, index) => `forgotten+${index}@example.com`);
  for (const [index, email] of spellings.entries())
    await limited.register({ username: `forgotten${index}`, email, password: "correct horse" }, client);
  const token = readToken();
  const askForAll = async (): Promise<unknown> => {
    mails = [];
    for (const email of spellings)
      expect(await limited.sendResetLink(email, client)).toEqual({ ok: true, value: null });
    return mails.map(({ kind, to }) => [kind, to]);
  };
  expect(await askForAll()).toEqual(spellings.slice(0, 3).map((email) => ["reset_password", email]));
  const [verified] = spellings.slice(-1);
  expect(await limited.verifyEmail(token, await logIn(verified!))).toEqual({ ok: true, value: null });
  expect(await askForAll()).toEqual([["reset_password", verified]]);
});

// [ROLE-32 §6 r24] A stranger who registers an address cannot flood its owner with notices: those of an account whose
// address was never verified are limited.
test("limits notices to an address that was never verified, over all its accounts [ROLE-32]", async () => {
  const limited = open({ ...DEVELOPMENT_RATE_LIMITS, noticesPerUnverifiedEmail: { burst: 3, refillMs: 60_000 } });
  const [first, second] = ["stranger+1@gmail.com", "s.tranger@gmail.com"] as const;
  const [old, fresh] = ["correct horse", "battery staple"] as const;

  /** Logs in from two new devices, and changes the password twice. Returns the session's cookie. */
  async function causeNotices(email: string): Promise<string> {
    await limited.login({ email, password: old }, client);
    const answer = await limited.login({ email, password: old }, client);
    if (!answer.ok) throw new Error(answer.refusal);
    const { session, setCookies } = answer.value;
    const order = { playerId: session.player.id, token: session.token };
    for (const [password, newPassword] of [[old, fresh] as const, [fresh, old] as const])
      expect(await limited.changePassword({ ...order, password, newPassword })).toEqual({ ok: true, value: null });
    return setCookies[0]?.split(";")[0] ?? "";
  }
  const findNotices = () => mails.filter(({ kind }) => kind !== "verify_email").map(({ kind, to }) => [kind, to]);

  await limited.register({ username: "annoying1", email: first, password: old }, client);
  const token = readToken();
  await limited.register({ username: "annoying2", email: second, password: old }, client);
  const cookie = await causeNotices(first);
  await causeNotices(second);
  const all = [
    ["new_device", first],
    ["password_changed", first],
    ["password_changed", first],
  ];
  expect(findNotices()).toEqual(all);
  expect(await limited.verifyEmail(token, cookie)).toEqual({ ok: true, value: null });
  mails = [];
  await causeNotices(first);
  await causeNotices(first);
  expect(findNotices()).toEqual([...all, ...all]);
});

test("treats an unknown player as unverified", async () => {
  expect(await isVerified("nobody-at-all" as PlayerId)).toBe(false);
});
