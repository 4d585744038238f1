import { randomUUID } from "node:crypto";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import type { ClosingView } from "@holo/protocol/accounts/account-deletion.ts";
import type { PlayerStatsView } from "@holo/protocol/accounts/players.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { WalletView } from "@holo/protocol/payments/wallet.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockLimits } from "../../../accounts/accounts.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import { paymentInvariants } from "../../../payments/audit/audit.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { whilePasswordChanges } from "../../testing/changed-password.ts";
import { playGame } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/test-provider.ts";

const ACCOUNT = { accountNumber: "0123456789", bankCode: "057" };

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
});
afterAll(async () => {
  await http.close();
  await sandbox.stop();
  await database.close();
});

async function ask<View>(person: TestPerson, method: "GET" | "POST", path: string, body?: unknown) {
  const answer = await send(http.app, method, `/api/${path}`, body, { cookie: person.cookie });
  return (await answer.json()) as View & { readonly code?: string };
}

test("closing an account withdraws everything, ends play and notifies all its pages", async () => {
  const person = await http.addPlayer();
  await sql`update players set email_verified = true where id = ${person.id}`.execute(database.kysely);
  await ask(person, "POST", "accounts/verify", ACCOUNT);
  const shown = await ask<ClosingView>(person, "GET", "closing");
  expect(shown).toMatchObject({ closingAt: null, balance: "5000000000", kobo: 153_000_000, remainder: "0" });
  expect(shown).toMatchObject({ obstacle: null, emailVerified: true, accounts: [] });
  const form = { commandId: randomUUID(), kobo: shown.kobo, feeKobo: 0, account: ACCOUNT, password: PASSWORD };
  expect((await ask(person, "POST", "closing", { ...form, password: "guess" })).code).toBe("wrong_password");
  expect((await ask(person, "POST", "closing", { ...form, kobo: 500_000 })).code).toBe("balance_changed");
  const closed = await ask<ClosingView>(person, "POST", "closing", form);
  expect(closed).toMatchObject({ closingAt: expect.any(Number), balance: "0", kobo: 0, remainder: "0" });
  const frames = http.at.playerFrames.filter(({ playerId }) => playerId === person.id).map(({ frame }) => frame);
  expect(frames.findLast(({ type }) => type === "limits")).toMatchObject({ limits: { closingAt: closed.closingAt } });
  const deposit = { commandId: randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  expect((await ask(person, "POST", "deposits", deposit)).code).toBe("account_closing");
});

describe("a closed account", () => {
  async function close(person: TestPerson, account = ACCOUNT): Promise<void> {
    await sql`update players set email_verified = true where id = ${person.id}`.execute(database.kysely);
    await ask(person, "POST", "accounts/verify", account);
    const { kobo } = await ask<ClosingView>(person, "GET", "closing");
    const form = { commandId: randomUUID(), kobo, feeKobo: 0, account, password: PASSWORD };
    expect((await ask(person, "POST", "closing", form)).code).toBeUndefined();
  }

  async function settle(person: TestPerson): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      http.at.time.advance(5_000);
      await http.payments.runDue();
      const { payments } = await ask<WalletView>(person, "GET", "wallet");
      if (payments.every(({ status }) => status === "completed")) return;
    }
    throw new Error("the withdrawal was not paid");
  }

  const leave = (person: TestPerson, password = PASSWORD) => ask(person, "POST", "account/delete", { password });

  // [ENT-07 §3] An empty seat has a text that cannot be mistaken for a name. A deleted player has a pseudonym, an
  // unknown one is 'Player 1' or 'Player 2'.
  test("can be deleted once it is empty; games and ledger keep a pseudonym [ENT-07]", async () => {
    const [person, other] = [await http.addPlayer(), await http.addPlayer()];
    await playGame(http.at, { white: person, black: other });
    http.at.time.advance(2 * 24 * 3_600_000);
    expect((await leave(person)).code).toBe("account_open");
    const account = { ...ACCOUNT, accountNumber: "2233445566" };
    await close(person, account);
    expect((await leave(person)).code).toBe("payment_under_way");
    await settle(person);
    expect((await leave(person, "a guess")).code).toBe("wrong_password");
    const before = await countEntries(person);
    expect(await leave(person)).toEqual({});

    expect(await ask<SessionView>(person, "GET", "session")).toMatchObject({ player: null });
    const email = `${person.username}@example.com`;
    expect((await send(http.app, "POST", "/api/login", { email, password: PASSWORD })).status).toBe(401);
    const seen = await ask<PlayerStatsView>(other, "GET", `players/${person.id}`);
    expect(seen.player.username).toMatch(/^gone-[0-9a-f]{10}$/);
    expect(seen.recent).toHaveLength(1);
    expect(await countEntries(person)).toBe(before);
    expect(before).toBeGreaterThan(0);
    for (const secret of [person.username, email, account.accountNumber]) {
      expect(await findTables(secret), secret).toEqual([]);
    }
    const form = { username: person.username, email, password: PASSWORD };
    expect((await send(http.app, "POST", "/api/register", form)).status).toBe(200);
    expect(await audit(database.kysely, [...ledgerInvariants, ...paymentInvariants])).toBeNull();
  });

  /** The password changes after it was confirmed for the request, which waits for the lock. */
  async function whileChanged<Answer>(
    person: TestPerson,
    [password, newPassword]: readonly [string, string],
    request: () => Promise<Answer>,
  ): Promise<Answer> {
    const lock = (tx: Tx) => lockLimits(tx, person.id as PlayerId);
    const change = async () =>
      expect(await ask(person, "POST", "account/password", { password, newPassword })).toEqual({});
    return await whilePasswordChanges(database, lock, change, request);
  }

  test("is neither closed nor deleted with a password that changes meanwhile", async () => {
    const person = await http.addPlayer();
    await sql`update players set email_verified = true where id = ${person.id}`.execute(database.kysely);
    await ask(person, "POST", "accounts/verify", ACCOUNT);
    const { kobo } = await ask<ClosingView>(person, "GET", "closing");
    const closeWith = (form: { readonly kobo: number; readonly password: string }) =>
      ask<ClosingView>(person, "POST", "closing", { ...form, commandId: randomUUID(), feeKobo: 0, account: ACCOUNT });
    const there = [PASSWORD, "battery staple"] as const;
    const back = there.toReversed() as [string, string];
    const refused = { code: "wrong_password" };
    const sent = await whileChanged(person, there, () => closeWith({ kobo, password: PASSWORD }));
    expect(sent).toMatchObject(refused);
    expect(await ask<ClosingView>(person, "GET", "closing")).toMatchObject({ closingAt: null, kobo });
    expect((await closeWith({ kobo, password: there[1] })).code).toBeUndefined();
    await settle(person);
    const emptied = await whileChanged(person, back, () => closeWith({ kobo: 0, password: there[1] }));
    expect(emptied).toMatchObject(refused);
    expect(await whileChanged(person, there, () => leave(person))).toMatchObject(refused);
    expect(await leave(person, there[1])).toEqual({});
  });

  test("is kept while it contains coins", async () => {
    const person = await http.addPlayer();
    await close(person);
    await settle(person);
    await sql`update ledger_accounts set balance = 1 where kind = 'wallet' and owner = ${person.id}`.execute(
      database.kysely,
    );
    expect((await leave(person)).code).toBe("coins_left");
    await sql`update ledger_accounts set balance = 0 where kind = 'wallet' and owner = ${person.id}`.execute(
      database.kysely,
    );
    expect(await leave(person)).toEqual({});
  });
});

async function countEntries({ id }: TestPerson): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from ledger_postings posting
    join ledger_accounts account on account.id = posting.account_id where account.owner = ${id}`.execute(
    database.kysely,
  );
  return rows[0]?.count ?? 0;
}

async function findTables(text: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.kysely);
  const found: string[] = [];
  for (const { name } of rows) {
    const table = sql.table(name);
    const hits = await sql`select 1 from ${table} row where row::text like ${`%${text}%`} limit 1`.execute(
      database.kysely,
    );
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

test("an open game prevents closing", async () => {
  const person = await http.addPlayer();
  await http.at.matches.create({
    player: { id: person.id, username: person.username },
    commandId: randomUUID() as CommandId,
    game: "checkers",
    stake: 1,
    limitMinutes: 5,
    feeBps: 740,
  });
  expect(await ask<ClosingView>(person, "GET", "closing")).toMatchObject({ obstacle: "game_to_finish" });
});
