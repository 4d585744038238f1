import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadStatement, type StatementPage } from "../ledger.ts";
import { at, makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
});

afterAll(() => database.close());

const load = (player: PlayerId, page: Partial<StatementPage> = {}) =>
  loadStatement(database.kysely, player, { before: null, kind: null, limit: 50, ...page });

test("is empty for a player without entries", async () => {
  expect(await load(await ledger.addPlayer(ZERO_COINS))).toEqual([]);
  expect(await load("nobody-here" as PlayerId)).toEqual([]);
});

test("lists every entry of the wallet, newest first, with its cause and balance", async () => {
  const [player, rival] = [await ledger.addPlayer(wholeCoins(100)), await ledger.addPlayer()];
  const [deposit, out, gameId] = [newPaymentId(), newPaymentId(), newGameId()];
  await ledger.deposit(deposit, player, naira(50));
  await ledger.stake(gameId, 1, player);
  await ledger.stake(gameId, 2, rival);
  await ledger.win(gameId, player);
  await ledger.withdraw(out, player, naira(30));
  await ledger.paid(out);
  await ledger.fee(out, naira(1));
  const failed = newPaymentId();
  await ledger.withdrawUnplayed(failed, player, naira(9), naira(1));
  await ledger.giveBack(failed);
  const none = { gameId: null, paymentId: null, reference: null, debtChange: 0n };
  const payment = (paymentId: string) => ({ ...none, paymentId, reference: `holo-${paymentId}` });
  expect(await load(player)).toEqual(
    [
      { kind: "withdrawal_return", amount: 10_000_000n, balanceAfter: 175_560_000n, ...payment(failed) },
      { kind: "withdrawal", amount: -10_000_000n, balanceAfter: 165_560_000n, ...payment(failed) },
      { kind: "withdrawal", amount: -30_000_000n, balanceAfter: 175_560_000n, ...payment(out) },
      { kind: "win", amount: terms.winnings, balanceAfter: 205_560_000n, ...none, gameId },
      { kind: "stake", amount: -64_440_000n, balanceAfter: 85_560_000n, ...none, gameId },
      { kind: "deposit", amount: 50_000_000n, balanceAfter: 150_000_000n, ...payment(deposit) },
      { kind: "opening", amount: 100_000_000n, balanceAfter: 100_000_000n, ...none },
    ].map((row) => ({ ...row, at, id: expect.any(BigInt) })),
  );
});

test("returns every entry exactly once across pages and kinds", async () => {
  const player = await ledger.addPlayer(wholeCoins(1));
  for (let i = 0; i < 6; i += 1) {
    await ledger.deposit(newPaymentId(), player, naira(2));
    await ledger.withdraw(newPaymentId(), player, naira(1));
  }
  const whole = await load(player);
  expect(whole).toHaveLength(13);
  const pages = [];
  for (let before: bigint | null = null; ; ) {
    const page: Awaited<ReturnType<typeof load>> = await load(player, { before, limit: 4 });
    pages.push(...page);
    if (page.length < 4) break;
    before = page.at(-1)?.id ?? null;
  }
  expect(pages).toEqual(whole);
  const deposits = await load(player, { kind: "deposit", limit: 4 });
  expect(deposits.map(({ kind }) => kind)).toEqual(Array(4).fill("deposit"));
  const rest = await load(player, { kind: "deposit", limit: 4, before: deposits.at(-1)?.id ?? null });
  expect([...deposits, ...rest]).toEqual(whole.filter(({ kind }) => kind === "deposit"));
});

test("includes debts and repayments without a wallet posting", async () => {
  const [player, deposit, out, again] = [
    await ledger.addPlayer(ZERO_COINS),
    newPaymentId(),
    newPaymentId(),
    newPaymentId(),
  ];
  await ledger.deposit(deposit, player, naira(10));
  await ledger.withdraw(out, player, naira(10));
  await ledger.reverseDeposit(deposit);
  await ledger.deposit(again, player, naira(12));
  const [repaid, credited, reversed] = await load(player);
  expect(repaid).toMatchObject({
    kind: "debt_repayment",
    amount: -10_000_000n,
    balanceAfter: 2_000_000n,
    debtChange: -10_000_000n,
    paymentId: again,
  });
  expect(credited).toMatchObject({ kind: "deposit", amount: 12_000_000n, balanceAfter: 12_000_000n, debtChange: 0n });
  expect(reversed).toMatchObject({
    kind: "deposit_taken",
    amount: 0n,
    balanceAfter: 0n,
    debtChange: 10_000_000n,
    paymentId: deposit,
  });
  const limited = await load(player, { limit: 2 });
  expect(limited.map(({ kind }) => kind)).toEqual(["debt_repayment", "deposit"]);
});
