import { randomUUID } from "node:crypto";
import type { CommandId } from "@holo/kernel/ids.ts";
import type { ClosingView } from "@holo/protocol/views.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../platform/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "./testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "./testing/test-provider.ts";

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

test("who closes their account takes everything out, plays no more, and every page of theirs is told", async () => {
  const person = await http.seat();
  await sql`update auth_users set email_verified = true where id = ${person.id}`.execute(database.kysely);
  await ask(person, "POST", "accounts/verify", ACCOUNT);
  const shown = await ask<ClosingView>(person, "GET", "closing");
  expect(shown).toMatchObject({ closingAt: null, balance: "5000000000", kobo: 153_000_000, remainder: "0" });
  expect(shown).toMatchObject({ obstacle: null, emailVerified: true, accounts: [] });
  const form = { commandId: randomUUID(), kobo: shown.kobo, account: ACCOUNT, password: PASSWORD };
  expect((await ask(person, "POST", "closing", { ...form, password: "guess" })).code).toBe("wrong_password");
  expect((await ask(person, "POST", "closing", { ...form, kobo: 500_000 })).code).toBe("balance_changed");
  const closed = await ask<ClosingView>(person, "POST", "closing", form);
  expect(closed).toMatchObject({ closingAt: expect.any(Number), balance: "0", kobo: 0, remainder: "0" });
  const frames = http.at.pushed.filter(({ playerId }) => playerId === person.id).map(({ frame }) => frame);
  expect(frames.findLast(({ type }) => type === "limits")).toMatchObject({ limits: { closingAt: closed.closingAt } });
  const deposit = { commandId: randomUUID(), kobo: 500_000, rateKobo: 30_600 };
  expect((await ask(person, "POST", "deposits", deposit)).code).toBe("account_closing");
});

test("an open game keeps an account open", async () => {
  const person = await http.seat();
  await http.at.arena.create({
    player: { id: person.id, username: person.username },
    commandId: randomUUID() as CommandId,
    game: "checkers",
    stake: 1,
    limitMinutes: 5,
    feeBps: 740,
  });
  expect(await ask<ClosingView>(person, "GET", "closing")).toMatchObject({ obstacle: "game_to_finish" });
});
