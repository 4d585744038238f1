import { randomUUID } from "node:crypto";
import { type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { FoundPlayersView, PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { playGame } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

/** Deleting an account and registering again ends no restriction. */

/** A login with it shows whether the registration created an account. */
const ANEW = "battery staple";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let ask: TestStaff["ask"];

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  ({ ask } = staff);
});
afterAll(async () => {
  await http.close();
  await database.close();
});

interface Comer extends TestPerson {
  readonly email: string;
}

const newName = (): string => `c${randomUUID().replaceAll("-", "").slice(0, 12)}`;

async function come(email = `${newName()}@example.com`): Promise<Comer> {
  const person = await comeUnverified(email);
  expect(await follow(tokenIn(email), person.cookie)).toBe(200);
  return person;
}

async function comeUnverified(email = `${newName()}@example.com`): Promise<Comer> {
  const username = newName();
  expect(await register(email, PASSWORD, username)).toEqual([200, {}]);
  const cookie = await logIn(email, PASSWORD);
  const { body } = await ask<{ readonly player: { readonly id: PlayerId } }>(
    { id: toPlayerId(username), username, cookie: cookie ?? "" },
    "GET",
    "session",
  );
  return { id: body.player.id, username, cookie: cookie ?? "", email };
}

/** The owner of the address resets the password and verifies the account. */
async function takeOver(comer: Comer): Promise<Comer> {
  const { email } = comer;
  const verifyLink = tokenIn(email);
  expect((await send(http.app, "POST", "/api/forgot-password", { email })).status).toBe(200);
  const form = { token: tokenIn(email), password: PASSWORD };
  expect((await send(http.app, "POST", "/api/reset-password", form)).status).toBe(200);
  const owner = { ...comer, cookie: (await logIn(email, PASSWORD)) ?? "" };
  expect(await follow(verifyLink, owner.cookie)).toBe(200);
  return owner;
}

async function register(email: string, password = ANEW, username = newName()): Promise<readonly [number, unknown]> {
  const answer = await send(http.app, "POST", "/api/register", { username, email, password });
  return [answer.status, await answer.json()];
}

async function logIn(email: string, password = ANEW): Promise<string | null> {
  const answer = await send(http.app, "POST", "/api/login", { email, password });
  return answer.status === 200 ? (answer.headers.get("set-cookie") ?? "").split(";")[0]! : null;
}

async function getsAccount(email: string): Promise<boolean> {
  expect(await register(email)).toEqual([200, {}]);
  return (await logIn(email)) !== null;
}

async function takeBreak(person: Comer): Promise<void> {
  expect(
    (await ask(person, "POST", "self-exclusion", { term: "day", coversFreeGames: true, password: PASSWORD })).status,
  ).toBe(200);
}

async function close(person: Comer): Promise<void> {
  const form = { commandId: randomUUID(), kobo: 0, feeKobo: 0, account: null, password: PASSWORD };
  expect((await ask(person, "POST", "closing", form)).status).toBe(200);
}

const remove = (person: Comer) => ask(person, "POST", "account/delete", { password: PASSWORD });

async function leave(person: Comer): Promise<void> {
  await close(person);
  expect((await remove(person)).status).toBe(200);
}

async function setBlocked(person: TestPerson, isBanned: boolean) {
  const order = { playerId: person.id, reason: "An engine" };
  if (isBanned) return await ask(staff.ceo, "POST", "admin/bans", order);
  return await ask(staff.ceo, "POST", "admin/bans/end", { ...order, banId: await loadBanId(person) });
}

async function loadBanId({ id }: TestPerson): Promise<string | null> {
  return (await ask<PlayerFileView>(staff.ceo, "GET", `admin/players/${id}`)).body.banId;
}

const tokenIn = (email: string): string => {
  const mail = http.mails.findLast(({ to, text }) => to === email && text.includes("?token="));
  return /\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
};

async function askEmail(person: Comer, email: string): Promise<void> {
  expect((await ask(person, "POST", "account/email", { password: PASSWORD, email })).status).toBe(200);
}

async function follow(token: string, cookie: string): Promise<number> {
  return (await send(http.app, "POST", "/api/verify-email", { token }, { cookie })).status;
}

async function changeEmail(person: Comer, email: string): Promise<Comer> {
  await askEmail(person, email);
  expect(await follow(tokenIn(email), person.cookie)).toBe(200);
  return { ...person, email };
}

async function countHolds(): Promise<number> {
  await http.accounts.removeExpiredData();
  const { rows } = await sql<{
    readonly count: number;
  }>`select count(*)::int as count from registration_blocks`.execute(database.kysely);
  return rows[0]!.count;
}

async function findTables(text: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.kysely);
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql`select from ${sql.table(name)} row where row::text like ${`%${text}%`}`.execute(
      database.kysely,
    );
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

describe("deleting during a self-exclusion", () => {
  // [ROLE-20 §6 r24,27] Deleting the account and registering again ends no self-exclusion, ban or deposit limit: the
  // address gets no account, the answer is the same, and its owner gets a mail with the reason.
  test("blocks the address until its end, with a mail, and is erased then [ROLE-20]", async () => {
    const before = await countHolds();
    const person = await come();
    await takeBreak(person);
    await leave(person);
    expect(await getsAccount(person.email.toUpperCase())).toBe(false);
    const mail = http.mails.findLast(({ to }) => to === person.email);
    expect(mail).toMatchObject({ kind: "held_address", subject: "No new account for this address yet" });
    expect(mail?.text).toMatch(/is taking a break until \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    expect(mail?.text).not.toContain(person.username);

    http.at.time.advance(DAY_MS - 60_000);
    expect(await countHolds()).toBe(before + 1);
    expect(await getsAccount(person.email)).toBe(false);
    http.at.time.advance(60_000);
    expect(await countHolds()).toBe(before);
    expect(await getsAccount(person.email)).toBe(true);
  });

  // [ROLE-22 §6 r24,27,40] A person who registers an address that is not theirs cannot keep its owner out: only
  // verified addresses are blocked, and the owner's password reset removes login codes of before.
  test("does not block an address that was never verified, which may be a stranger's [ROLE-22]", async () => {
    const person = await comeUnverified();
    await takeBreak(person);
    await leave(person);
    expect(await getsAccount(person.email)).toBe(true);
  });

  test("does not block an address for one before the owner's password reset [ROLE-22]", async () => {
    const stranger = await comeUnverified();
    await takeBreak(stranger);
    const owner = await takeOver(stranger);
    await leave(owner);
    expect(await getsAccount(owner.email)).toBe(true);
  });

  test("blocks an address whose owner starts another one after the reset", async () => {
    const person = await comeUnverified();
    await takeBreak(person);
    const owner = await takeOver(person);
    await takeBreak(owner);
    await leave(owner);
    expect(await getsAccount(person.email)).toBe(false);
  });

  test("blocks an address that is verified during it", async () => {
    const person = await comeUnverified();
    await takeBreak(person);
    expect(await follow(tokenIn(person.email), person.cookie)).toBe(200);
    await leave(person);
    expect(await getsAccount(person.email)).toBe(false);
  });

  test("stores a keyed hash only", async () => {
    const person = await come();
    await takeBreak(person);
    const { body } = await ask<{ readonly emailHashes: readonly string[] }>(person, "GET", "account/export.json");
    await leave(person);
    const { rows } = await sql<{ readonly hash: string }>`
      select email_hash as hash from registration_blocks where player_id = ${person.id}`.execute(database.kysely);
    expect(rows.map(({ hash }) => hash)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(body.emailHashes).toEqual(rows.map(({ hash }) => hash));
    expect(await findTables(person.email)).toEqual([]);
  });

  test("blocks all spellings of the canonical email, and no other address", async () => {
    const name = newName();
    const person = await come(`${name}@gmail.com`);
    await takeBreak(person);
    // Also before the deletion.
    expect(await getsAccount(`${name}+1@gmail.com`)).toBe(false);
    await leave(person);
    expect(await getsAccount(`${name[0]}.${name.slice(1)}+again@googlemail.com`)).toBe(false);
    expect(await getsAccount(`${name}@example.com`)).toBe(true);
    expect(await getsAccount(`${name}x@gmail.com`)).toBe(true);
  });

  test("blocks the addresses before and after a change [ROLE-20]", async () => {
    const person = await come();
    await takeBreak(person);
    const moved = await changeEmail(person, `${newName()}@example.com`);
    expect(await getsAccount(person.email)).toBe(false);
    const name = newName();
    await changeEmail(moved, `${name}@gmail.com`);
    expect(await getsAccount(`${name}+1@gmail.com`)).toBe(false);
    await changeEmail(moved, moved.email);
    await leave(moved);
    expect(await getsAccount(person.email)).toBe(false);
    expect(await getsAccount(moved.email)).toBe(false);
  });

  test("blocks an address whose change was requested before the self-exclusion", async () => {
    const person = await come();
    const next = `${newName()}@example.com`;
    await askEmail(person, next);
    await takeBreak(person);
    expect(await follow(tokenIn(next), person.cookie)).toBe(200);
    expect(await getsAccount(person.email)).toBe(false);
    await changeEmail({ ...person, email: next }, person.email);
  });

  test("blocks a registration during the deletion", async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await come();
      await takeBreak(person);
      await close(person);
      const [removed] = await Promise.all([remove(person), register(person.email), register(person.email)]);
      expect(removed.status).toBe(200);
      expect(await logIn(person.email)).toBeNull();
    }
  });

  test("limits mails to the address", async () => {
    const person = await come();
    await takeBreak(person);
    await leave(person);
    const before = http.mails.length;
    for (let times = 0; times < 120; times += 10) {
      await Promise.all(Array.from({ length: 10 }, () => register(person.email)));
    }
    expect(http.mails.length - before).toBe(100);
  });
});

describe("deleting during a ban", () => {
  test("blocks the address until the ban is lifted, which finds it by address [ROLE-20]", async () => {
    const person = await come();
    await setBlocked(person, true);
    await leave(person);
    // Audit events contain the player's id only.
    expect(await findTables(person.username)).toEqual([]);
    http.at.time.advance(DAY_MS);
    await http.accounts.removeExpiredData();
    expect(await getsAccount(person.email)).toBe(false);
    expect(http.mails.findLast(({ to }) => to === person.email)?.text).toContain(
      "We blocked an account with this email",
    );

    const found = await ask<FoundPlayersView>(staff.ceo, "GET", `admin/players?text=${person.email}`);
    expect(found.body.players.map(({ id, isBanned }) => ({ id, isBanned }))).toEqual([
      { id: person.id, isBanned: true },
    ]);
    const before = http.mails.length;
    const order = { playerId: person.id, reason: "It was somebody else" };
    const lifting = { ...order, banId: await loadBanId(person) };
    expect((await ask(staff.ceo, "POST", "admin/bans/end", lifting)).status).toBe(200);
    expect(http.mails.length).toBe(before);
    expect((await ask(staff.ceo, "POST", "admin/bans", order)).body.code).toBe("unknown_player");
    expect(await getsAccount(person.email)).toBe(true);
  });
});

test("deleting with a limit blocks the address for the waiting period [ROLE-20]", async () => {
  const [person, other] = [await come(), await come()];
  for (const [one, limits] of [
    [person, { depositDay: 500_000 }],
    [other, { session: 60 }],
  ] as const) {
    expect((await send(http.app, "PATCH", "/api/limits", limits, { cookie: one.cookie })).status).toBe(200);
  }
  // Changing the address first does not help.
  await leave(await changeEmail(person, `${newName()}@example.com`));
  await leave(other);
  // A session reminder is not a limit on money.
  expect(await getsAccount(other.email)).toBe(true);
  expect(await getsAccount(person.email)).toBe(false);
  expect(http.mails.findLast(({ to }) => to === person.email)?.text).toContain("deleted while it had limits");
  http.at.time.advance(DAY_MS - 1_000);
  expect(await getsAccount(person.email)).toBe(false);
  http.at.time.advance(1_000);
  expect(await getsAccount(person.email)).toBe(true);
});

describe("a blocked address", () => {
  test("cannot be taken by another account, also with an earlier link, and answers alike", async () => {
    const [person, other] = [await come(), await come()];
    const held = person.email;
    await takeBreak(person);
    await changeEmail(person, `${newName()}@example.com`);
    const before = http.mails.length;
    await askEmail(other, held);
    expect(http.mails.slice(before).map(({ to, kind }) => [to, kind])).toEqual([
      [held, "held_address"],
      [other.email, "email_change_asked"],
    ]);

    const [third, fourth] = [await come(), await come()];
    await askEmail(third, `${fourth.username}+new@outlook.com`);
    const token = tokenIn(`${fourth.username}+new@outlook.com`);
    const last = await come(`${fourth.username}@outlook.com`);
    await takeBreak(last);
    expect(await follow(token, third.cookie)).toBe(410);
  });

  test("is not verified for an account opened earlier with another spelling of it [ROLE-20]", async () => {
    const name = newName();
    const [excluded, banned] = [await come(`${name}@gmail.com`), await come(`${name}@outlook.com`)];
    const spare = await comeUnverified(`${name}+spare@gmail.com`);
    const other = await comeUnverified(`${name}+spare@outlook.com`);
    await takeBreak(excluded);
    await setBlocked(banned, true);
    expect(await follow(tokenIn(spare.email), spare.cookie)).toBe(410);
    expect(await follow(tokenIn(other.email), other.cookie)).toBe(410);
    http.at.time.advance(DAY_MS - 60_000);
    expect((await ask(spare, "POST", "resend-verification", {})).status).toBe(200);
    http.at.time.advance(60_000);
    expect(await follow(tokenIn(spare.email), spare.cookie)).toBe(200);
  });

  test("can be taken back by its own player", async () => {
    const person = await come();
    await takeBreak(person);
    const moved = await changeEmail(person, `${newName()}@example.com`);
    await changeEmail(moved, person.email);
    expect(await logIn(person.email, PASSWORD)).not.toBeNull();
  });
});

test("sends a deleted player no mail, such as a report's outcome", async () => {
  const [person, white, black] = [await come(), await http.addPlayer(), await http.addPlayer()];
  const { gameId } = await playGame(http.at, { white, black });
  const told = { gameId, playerId: black.id, reason: "cheating", text: "" };
  const id = await staff.report(person, told);
  await leave(person);
  const before = http.mails.length;
  const end = { id, outcome: "acted", note: "So it was" };
  expect((await ask(staff.ceo, "POST", "admin/reports/end", end)).status).toBe(200);
  expect(http.mails.length).toBe(before);
});
