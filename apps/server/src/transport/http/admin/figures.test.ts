import { DAY_MS } from "@holo/kernel/instant.ts";
import type { DaysView, LiveFiguresView } from "@holo/protocol/admin/overview.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { beginGame, findBroken, newId, openGame, playGame, playOpening, resignGame } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/test-provider.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
  staff = await openTestStaff(http, database);
  admin = await staff.makeAdmin();
  // Noon in Lagos, so that the test stays within one day.
  const now = http.at.time.now();
  http.at.time.advance(DAY_MS - (now % DAY_MS) + 11 * 3_600_000);
});
afterAll(async () => {
  const broken = await findBroken(database);
  await http.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

const loadLive = async (): Promise<LiveFiguresView> =>
  (await staff.ask<LiveFiguresView>(admin, "GET", "admin/live")).body;
const loadDays = async (): Promise<DaysView["days"]> =>
  (await staff.ask<DaysView>(admin, "GET", "admin/days")).body.days;

async function deposit(person: TestPerson, isPaid: boolean): Promise<void> {
  const order = { commandId: newId(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  const { body } = await staff.ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", order);
  const { reference } = body.payment;
  if (!isPaid) return;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  expect((await staff.ask(person, "POST", "deposits/check", { reference })).status).toBe(200);
}

async function withdraw(person: TestPerson): Promise<void> {
  await staff.setVerified(person);
  const account = { accountNumber: "0123456789", bankCode: "057" };
  expect((await staff.ask(person, "POST", "accounts/verify", account)).status).toBe(200);
  const order = { ...account, commandId: newId(), kobo: 600_000, feeKobo: 0, password: PASSWORD, rateKobo: 30_600 };
  expect(await staff.ask(person, "POST", "withdrawals", order)).toMatchObject({ status: 200 });
}

test.each(["admin/live", "admin/days"])("%s is denied to visitors, players and former admins", async (path) => {
  const once = await staff.makeAdmin();
  expect((await staff.ask(once, "GET", path)).status).toBe(200);
  await staff.removeAdmin(once);
  const player = await http.addPlayer();
  for (const person of [null, player, once]) {
    expect(await staff.ask(person, "GET", path)).toMatchObject({ status: 403, body: { code: "access_denied" } });
  }
});

test("shows live figures as in the metrics, moves per second", async () => {
  const before = await loadLive();
  expect(before).toMatchObject({ gamesPlaying: 0, gamesWaiting: 0, movesPerSecond: 0, moveP99Ms: null });
  const pair = { white: await http.addPlayer(), black: await http.addPlayer() };
  const game = await beginGame(http.at, pair);
  await playOpening(http.at, game);
  await openGame(http.at, await http.addPlayer());
  http.at.time.advance(6_000);
  const live = await loadLive();
  expect(live).toMatchObject({ gamesPlaying: 1, gamesWaiting: 1, playersOnline: (before.playersOnline ?? 0) + 3 });
  expect(live.movesPerSecond).toBeGreaterThan(0);
  expect(live.moveP99Ms).toBeGreaterThan(0);
  const { body } = await http.at.metrics.toText();
  expect(body).toMatch(/^holo_move_seconds_count 4$/m);
  expect(body).toContain(`holo_players_online ${live.playersOnline}`);
  await resignGame(http.at, game);
  expect(await loadLive()).toMatchObject({ gamesPlaying: 0, gamesWaiting: 1 });
});

test("shows today's and pending money in naira", async () => {
  const player = await http.addPlayer();
  await deposit(player, true);
  await deposit(player, false);
  expect(await loadLive()).toMatchObject({
    depositsTodayKobo: 500_000,
    withdrawalsTodayKobo: 0,
    pendingDeposits: { count: 1, kobo: 500_000 },
    pendingWithdrawals: { count: 0, kobo: 0 },
  });
  await withdraw(player);
  expect((await loadLive()).pendingWithdrawals).toEqual({ count: 1, kobo: 600_000 });
  await http.payments.runDue();
  await sandbox.pass();
  http.at.time.advance(60_000);
  await http.payments.runDue();
  expect(await loadLive()).toMatchObject({
    withdrawalsTodayKobo: 600_000,
    pendingWithdrawals: { count: 0, kobo: 0 },
  });
});

test("shows games, fees and money per day from the ledger, with days of Lagos", async () => {
  const now = http.at.time.now();
  const [today, ...others] = (await loadDays()).toReversed();
  expect(others).toHaveLength(89);
  expect(today?.day).toBe(new Date(now).toISOString().slice(0, 10));
  expect(today).toMatchObject({ games: 1, revenue: "8880000", depositsKobo: 500_000, withdrawalsKobo: 600_000 });

  const intoNight = DAY_MS - (now % DAY_MS) - 1_800_000;
  http.at.time.advance(intoNight);
  await playGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const [night, before] = (await loadDays()).toReversed();
  expect(before).toEqual(today);
  expect(night).toMatchObject({ games: 1, revenue: "8880000", depositsKobo: 0 });
  expect(night?.day).toBe(new Date(now + DAY_MS).toISOString().slice(0, 10));

  http.at.time.advance(DAY_MS);
  const later = (await loadDays()).toReversed();
  expect(later.slice(1, 3)).toEqual([night, before]);
  expect(later[0]).toMatchObject({ games: 0, revenue: "0" });
  const { rows } = await sql<{ revenue: string }>`
    select sum(posting.amount)::text as revenue from ledger_postings posting
    join ledger_accounts account on account.id = posting.account_id where account.kind = 'revenue'`.execute(
    database.kysely,
  );
  expect(later.reduce((sum, { revenue }) => sum + BigInt(revenue), 0n)).toBe(BigInt(rows[0]?.revenue ?? 0));
});
