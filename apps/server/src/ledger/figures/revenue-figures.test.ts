import { toCoins, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { loadPlatformFigures, loadWithdrawableRevenue } from "../ledger.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";

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

async function earn(games: number): Promise<void> {
  for (let i = 0; i < games; i += 1) await playGame();
}

async function playGame(): Promise<void> {
  const [gameId, first, second] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, first);
  await ledger.stake(gameId, 2, second);
  await ledger.win(gameId, first);
}

test("limits revenue withdrawals to the fees earned, less provider fees, losses and earlier withdrawals", async () => {
  const before = await loadWithdrawableRevenue(database.kysely);
  await earn(20);
  const earned = toCoins(before + 20n * terms.platformFee);
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(earned);
  await ledger.fee(newPaymentId(), naira(2));
  const left = toCoins(earned - wholeCoins(2));
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(left);
  const [paymentId, again] = [newPaymentId(), newPaymentId()];
  expect(await ledger.withdrawRevenue(paymentId, naira(50))).toEqual({
    ok: true,
    value: { replayed: false, wallets: [] },
  });
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(left - wholeCoins(50));
  expect(await ledger.withdrawRevenue(again, naira(100_000))).toMatchObject({
    ok: false,
    refusal: { type: "insufficient_balance", have: left - wholeCoins(50), need: wholeCoins(100_000) },
  });
  expect(await ledger.giveBack(paymentId)).toEqual([]);
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(left);
});

test("takes back a revenue withdrawal that the provider reversed", async () => {
  await earn(5);
  const [paymentId, before] = [newPaymentId(), await loadWithdrawableRevenue(database.kysely)];
  await ledger.withdrawRevenue(paymentId, naira(10));
  await ledger.paid(paymentId);
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(before - wholeCoins(10));
  await ledger.cameBack(paymentId);
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(before);
});

test("accepts only the covered ones of twenty concurrent revenue withdrawals", async () => {
  await earn(20);
  const left = await loadWithdrawableRevenue(database.kysely);
  const each = left / 7n / 1_000_000n;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ledger.withdrawRevenue(newPaymentId(), naira(Number(each)))),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(Number(left / toCoins(each * 1_000_000n)));
  expect((await loadPlatformFigures(database.kysely)).revenue >= 0n).toBe(true);
});

test("excludes what players owe until they repay it", async () => {
  await earn(10);
  const before = await loadWithdrawableRevenue(database.kysely);
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
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(before + terms.platformFee - terms.entry);
});

test("covers provider fees alone, and no loss, with what players bear of them", async () => {
  await earn(20);
  await ledger.fee(newPaymentId(), naira(2));
  const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
  await ledger.withdraw(paymentId, player, naira(10));
  await ledger.giveBack(paymentId);
  await ledger.paidLate(paymentId);
  const [left, { providerFees }] = [
    await loadWithdrawableRevenue(database.kysely),
    await loadPlatformFigures(database.kysely),
  ];
  expect(providerFees).toBeLessThanOrEqual(-wholeCoins(2));
  await ledger.withdrawUnplayed(newPaymentId(), player, naira(100), naira(50));
  expect(await loadWithdrawableRevenue(database.kysely)).toBe(left - providerFees);
});
