import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import type { NewMail } from "../platform/mail/outbox.ts";
import { makeSharedLimiters } from "../platform/shared-rate-limiter.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { type Accounts, PRODUCTION_RATE_LIMITS } from "./accounts.ts";
import { client, OLD } from "./testing/own-accounts.ts";
import { openTestAccounts } from "./testing/test-accounts.ts";

/** Two servers with one database. */
const time = makeTestTime();
const mails: NewMail[] = [];
let database: Database;
let servers: readonly [Accounts, Accounts];

beforeAll(async () => {
  database = await createTestDatabase();
  const open = (): Accounts =>
    openTestAccounts({
      database,
      time,
      rateLimits: PRODUCTION_RATE_LIMITS,
      openRateLimiter: makeSharedLimiters({ queries: database.kysely, time, secret: "a secret of tests" }),
      queueMail: async (_tx, mail) => void mails.push(mail),
    });
  servers = [open(), open()];
});

afterAll(() => database.close());

async function register(username: string): Promise<string> {
  const email = `${username}@example.com`;
  const registered = await servers[0].register({ username, email, password: OLD }, { ...client, address: username });
  expect(registered).toEqual({ ok: true, value: null });
  return email;
}

/** Tries on both servers in turn until one refuses for the limit. Returns the attempts before. */
async function countAttempts(attempt: (server: Accounts, index: number) => Promise<string | null>): Promise<number> {
  for (let index = 0; index < 500; index += 1) {
    if ((await attempt(servers[(index & 1) as 0 | 1], index)) === "too_many_requests") return index;
  }
  throw new Error("there is no limit");
}

// [OPS-20 §-] Several servers give no more attempts than one: guesses of passwords and codes, sessions,
// registrations, mails, deposits and lookups of bank accounts.
test("passwords are guessed as often at two servers as at one, also by strangers from many addresses [OPS-20]", async () => {
  const email = await register("guessed");
  const guess = async (server: Accounts, index: number): Promise<string | null> => {
    const answer = await server.login({ email, password: "wrong" }, { ...client, address: `192.0.2.${index}` });
    return answer.ok ? null : answer.refusal;
  };
  const { burst, refillMs } = PRODUCTION_RATE_LIMITS.loginPerAccount;
  expect(await countAttempts(guess)).toBe(burst);
  time.advance(refillMs);
  expect(await guess(servers[1], 100)).toBe("invalid_credentials");
  expect(await guess(servers[0], 101)).toBe("too_many_requests");
});

test("a right password gives the attempt back, and begins a session that counts at both servers", async () => {
  const email = await register("returning");
  const logIn = async (server: Accounts, index: number): Promise<string | null> => {
    const answer = await server.login({ email, password: OLD }, { ...client, address: `198.51.100.${index}` });
    return answer.ok ? null : answer.refusal;
  };
  expect(await countAttempts(logIn)).toBe(PRODUCTION_RATE_LIMITS.sessionsPerAccount.burst);
});

// [SEC-60 §-] With several servers too, guesses of a password by others, many at once, do not refuse the owner's
// login.
test("guesses by others at the same moment do not refuse the owner [SEC-60]", async () => {
  const [server] = servers;
  const owner = { email: await register("besieged"), password: OLD };
  const home = { ...client, address: "203.0.113.77" };
  expect((await server.login(owner, home)).ok).toBe(true);
  const { burst } = PRODUCTION_RATE_LIMITS.sessionsPerAccount;
  const guesses = Array.from({ length: 2 * burst }, () =>
    server.login({ email: owner.email, password: "wrong" }, { ...client, address: "192.0.2.201" }),
  );
  expect((await server.login(owner, home)).ok).toBe(true);
  await Promise.all(guesses);
});

test("a flood from one address stores no more keys than its attempts", async () => {
  const count = async (): Promise<number> =>
    (await database.pool.query("select count(*)::int as count from rate_limits")).rows[0].count;
  const before = await count();
  const { burst } = PRODUCTION_RATE_LIMITS.loginPerAddress;
  for (let index = 0; index < 3 * burst; index += 1) {
    const form = { email: `nobody${index}@example.com`, password: "wrong" };
    await servers[0].login(form, { ...client, address: "192.0.2.202" });
  }
  // One for the address and at most two for each account that it tried.
  expect((await count()) - before).toBeLessThanOrEqual(2 * burst + 1);
});

test("reset links are mailed as often by two servers as by one", async () => {
  const email = await register("forgetful");
  const before = mails.length;
  const { burst } = PRODUCTION_RATE_LIMITS.resetPerAccount;
  for (let index = 0; index < 2 * burst; index += 1) {
    const answer = await servers[(index & 1) as 0 | 1].sendResetLink(email, { address: `203.0.113.${index}` });
    expect(answer.ok).toBe(true);
  }
  expect(mails.length - before).toBe(burst);
});

test("verification links are mailed to one canonical email as often by two servers as by one", async () => {
  const before = mails.length;
  const { burst } = PRODUCTION_RATE_LIMITS.verificationPerEmail;
  for (let index = 0; index < 2 * burst; index += 1) {
    const form = { username: `spelled${index}`, email: `mailbox+${index}@gmail.com`, password: OLD };
    const server = servers[(index & 1) as 0 | 1];
    expect((await server.register(form, { ...client, address: form.username })).ok).toBe(true);
  }
  expect(mails.length - before).toBe(burst);
});

test("an address registers as many accounts at two servers as at one", async () => {
  const form = (index: number) => ({ username: `many${index}`, email: `many${index}@example.com`, password: OLD });
  const { burst } = PRODUCTION_RATE_LIMITS.registerPerAddress;
  const answers: string[] = [];
  for (let index = 0; index <= burst; index += 1) {
    const answer = await servers[(index & 1) as 0 | 1].register(form(index), { ...client, address: "192.0.2.200" });
    answers.push(answer.ok ? "registered" : answer.refusal);
  }
  expect(answers).toEqual([...Array.from({ length: burst }, () => "registered"), "too_many_requests"]);
});

test("what limits nothing any more is deleted", async () => {
  const count = async (): Promise<unknown> =>
    (await database.pool.query("select count(*)::int as count from rate_limits")).rows[0];
  expect(await count()).not.toEqual({ count: 0 });
  time.advance(24 * 3_600_000);
  await servers[0].removeExpiredData();
  expect(await count()).toEqual({ count: 0 });
});
