import { toCoins, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../platform/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { platformFigures, revenueLeft } from "./ledger.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "./testing/test-ledger.ts";

let database: Database;
let wide: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  wide = openDatabase({ connectionString: database.connectionString, log: openTestLog(), poolSize: 20 });
  ledger = makeTestLedger(wide);
});

afterEach(async () => {
  expect(await ledger.audit()).toBeNull();
});

afterAll(async () => {
  await wide.close();
  await database.close();
});

const conflict = { ok: false, refusal: { type: "entry_conflict" } };

async function earn(): Promise<void> {
  const [gameId, first, second] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, first);
  await ledger.stake(gameId, 2, second);
  await ledger.win(gameId, first);
}

test("revenue may be withdrawn as far as fees were earned, less the provider's, losses and what was withdrawn", async () => {
  const before = await revenueLeft(database.kysely);
  for (let i = 0; i < 20; i += 1) await earn();
  const earned = toCoins(before + 20n * terms.platformFee);
  expect(await revenueLeft(database.kysely)).toBe(earned);
  await ledger.fee(newPaymentId(), naira(2));
  const left = toCoins(earned - wholeCoins(2));
  expect(await revenueLeft(database.kysely)).toBe(left);
  const [paymentId, again] = [newPaymentId(), newPaymentId()];
  expect(await ledger.withdrawRevenue(paymentId, naira(50))).toEqual({
    ok: true,
    value: { replayed: false, wallets: [] },
  });
  expect(await revenueLeft(database.kysely)).toBe(left - wholeCoins(50));
  expect(await ledger.withdrawRevenue(again, naira(100_000))).toMatchObject({
    ok: false,
    refusal: { type: "insufficient_balance", have: left - wholeCoins(50), need: wholeCoins(100_000) },
  });
  expect(await ledger.giveBack(paymentId)).toEqual({ ok: true, value: { replayed: false, wallets: [] } });
  expect(await revenueLeft(database.kysely)).toBe(left);
});

test("revenue that was sent can come back", async () => {
  for (let i = 0; i < 5; i += 1) await earn();
  const [paymentId, before] = [newPaymentId(), await revenueLeft(database.kysely)];
  await ledger.withdrawRevenue(paymentId, naira(10));
  await ledger.paid(paymentId);
  expect(await ledger.giveBack(paymentId)).toEqual(conflict);
  expect(await revenueLeft(database.kysely)).toBe(before - wholeCoins(10));
  await ledger.cameBack(paymentId);
  expect(await revenueLeft(database.kysely)).toBe(before);
});

test("of twenty withdrawals of revenue at once, only those succeed that were earned", async () => {
  const left = await revenueLeft(database.kysely);
  const each = left / 7n / 1_000_000n;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ledger.withdrawRevenue(newPaymentId(), naira(Number(each)))),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(Number(left / toCoins(each * 1_000_000n)));
  expect((await platformFigures(database.kysely)).revenue >= 0n).toBe(true);
});

test("what players owe the platform is not to be withdrawn before they repaid it", async () => {
  for (let i = 0; i < 10; i += 1) await earn();
  const before = await revenueLeft(database.kysely);
  const [paymentId, gameId, player, rival] = [
    newPaymentId(),
    newGameId(),
    await ledger.addPlayer(ZERO_COINS),
    await ledger.addPlayer(),
  ];
  await ledger.deposit(paymentId, player, naira(100));
  await ledger.stake(gameId, 1, player);
  await ledger.stake(gameId, 2, rival);
  await ledger.win(gameId, rival);
  await ledger.reverseDeposit(paymentId);
  expect(await revenueLeft(database.kysely)).toBe(before + terms.platformFee - terms.entry);
});
