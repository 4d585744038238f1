import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoins, toKobo, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadPlatformFigures } from "../ledger.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
});

afterEach(async () => {
  expect(await ledger.audit()).toBeNull();
});

afterAll(() => database.close());

async function watchFigures(act: () => Promise<unknown>): Promise<Record<string, bigint>> {
  const before = await loadPlatformFigures(database.kysely);
  await act();
  const after = await loadPlatformFigures(database.kysely);
  const changes = Object.entries(after).map(([account, total]) => [
    account,
    total - before[account as keyof typeof before],
  ]);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n));
}

const figuresOf = async (player: PlayerId) => [await ledger.balance(player), await ledger.debt(player)];

async function addDeposit(kobo: bigint, balance = ZERO_COINS): Promise<{ id: PaymentId; player: PlayerId }> {
  const [id, player] = [newPaymentId(), await ledger.addPlayer(balance)];
  await ledger.deposit(id, player, toKobo(kobo));
  return { id, player };
}

async function addWithdrawal(): Promise<{ id: PaymentId; player: PlayerId }> {
  const [id, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(100))];
  expect((await ledger.withdraw(id, player, naira(40))).ok).toBe(true);
  return { id, player };
}

describe("a deposit", () => {
  test("is credited rounded up, against clearing and the platform's rounding, once", async () => {
    const [id, player] = [newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    const changes = await watchFigures(() => ledger.deposit(id, player, toKobo(500_000n)));
    expect(changes).toEqual({ wallets: 16_339_870n, depositClearing: -16_339_869n, rounding: -1n });
    expect(await watchFigures(() => ledger.keep(id, toKobo(500_000n)))).toEqual({});
  });

  // [CONST-05 §9 r3,37] Coins are worth naira at the exchange rate, shown with two decimals. A deposit of ₦5,000 can
  // be withdrawn as ₦5,000 once it was played, else less fees (VALID-36).
  test("of five thousand naira can be taken out as five thousand naira [CONST-05]", async () => {
    const { player } = await addDeposit(500_000n);
    const out = newPaymentId();
    expect((await ledger.withdraw(out, player, toKobo(500_000n))).ok).toBe(true);
    expect(await ledger.balance(player)).toBe(1n);
    await ledger.paid(out);
  });

  test("is taken back from the wallet, and what was spent becomes a debt", async () => {
    const { id, player } = await addDeposit(500_000n, wholeCoins(5));
    expect(await watchFigures(() => ledger.reverseDeposit(id))).toEqual({
      wallets: -16_339_870n,
      depositClearing: 16_339_869n,
      rounding: 1n,
    });
    expect(await figuresOf(player)).toEqual([wholeCoins(5), 0n]);
    const spent = await addDeposit(naira(100));
    const gameId = newGameId();
    await ledger.stake(gameId, 1, spent.player);
    await ledger.reverseDeposit(spent.id);
    expect(await figuresOf(spent.player)).toEqual([0n, terms.entry]);
  });

  test("is credited again by staff, and repays the debt of its reversal first", async () => {
    const { id, player } = await addDeposit(naira(100));
    await ledger.withdraw(newPaymentId(), player, naira(60));
    await ledger.reverseDeposit(id);
    expect(await figuresOf(player)).toEqual([0n, wholeCoins(60)]);
    await ledger.returnDeposit(id);
    expect(await figuresOf(player)).toEqual([wholeCoins(40), 0n]);
  });

  test("is taken back in parts that together are what was credited", async () => {
    const { id, player } = await addDeposit(500_000n);
    for (const gone of [1n, 100_001n, 333_333n, 499_999n, 500_000n]) await ledger.takePart(id, gone);
    expect(await figuresOf(player)).toEqual([0n, 0n]);
  });

  test("repays a debt before anything else is left", async () => {
    const { id, player } = await addDeposit(naira(100));
    await ledger.withdraw(newPaymentId(), player, naira(100));
    await ledger.reverseDeposit(id);
    expect(await ledger.debt(player)).toBe(wholeCoins(100));
    await ledger.deposit(newPaymentId(), player, naira(130));
    expect(await figuresOf(player)).toEqual([wholeCoins(30), 0n]);
  });
});

describe("a withdrawal", () => {
  test("takes its coins at once, and is refused where they are missing", async () => {
    const { player } = await addWithdrawal();
    expect(await ledger.balance(player)).toBe(wholeCoins(60));
    expect(await ledger.withdraw(newPaymentId(), player, naira(61))).toEqual({
      ok: false,
      refusal: { type: "insufficient_balance", have: wholeCoins(60), need: wholeCoins(61) },
    });
  });

  test("leaves by clearing once it is paid, and comes back whole if its bank returns it", async () => {
    const { id, player } = await addWithdrawal();
    const forty = wholeCoins(40);
    expect(await watchFigures(() => ledger.paid(id))).toEqual({ withdrawalClearing: -forty, depositClearing: forty });
    expect(await watchFigures(() => ledger.paid(id))).toEqual({});
    expect(await watchFigures(() => ledger.cameBack(id))).toEqual({ wallets: forty, depositClearing: -forty });
    expect(await ledger.balance(player)).toBe(wholeCoins(100));
  });

  test("that arrives after its coins went back is the platform's loss, until it comes back too", async () => {
    const { id, player } = await addWithdrawal();
    const forty = wholeCoins(40);
    expect(await watchFigures(() => ledger.giveBack(id))).toEqual({ wallets: forty, withdrawalClearing: -forty });
    expect(await watchFigures(() => ledger.paidLate(id))).toEqual({ providerLoss: -forty, depositClearing: forty });
    expect(await watchFigures(() => ledger.cameBack(id))).toEqual({ providerLoss: forty, depositClearing: -forty });
    expect(await ledger.balance(player)).toBe(wholeCoins(100));
  });

  test("of another sum holds what was not sent, and counts what was sent beyond it as a loss", async () => {
    const less = await addWithdrawal();
    expect(await watchFigures(() => ledger.sent(less.id, naira(30)))).toEqual({
      withdrawalClearing: -wholeCoins(30),
      depositClearing: wholeCoins(30),
    });
    const more = await addWithdrawal();
    expect(await watchFigures(() => ledger.sent(more.id, naira(41)))).toEqual({
      withdrawalClearing: -wholeCoins(40),
      depositClearing: wholeCoins(41),
      providerLoss: -wholeCoins(1),
    });
  });

  test("charges its share of the provider's fees and returns it with its coins", async () => {
    const [id, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(100))];
    const changes = await watchFigures(() => ledger.withdrawUnplayed(id, player, naira(40), naira(2)));
    expect(changes).toEqual({
      wallets: -wholeCoins(42),
      providerFees: wholeCoins(2),
      withdrawalClearing: wholeCoins(40),
    });
    await ledger.giveBack(id);
    expect(await ledger.balance(player)).toBe(wholeCoins(100));
  });
});

describe("the provider's fee and a closing's remainder", () => {
  test("are booked once, the platform's to bear", async () => {
    const id = newPaymentId();
    const changes = await watchFigures(() => ledger.fee(id, toKobo(17_500n)));
    expect(changes).toEqual({ providerFees: -571_896n, depositClearing: 571_896n });
    expect(await watchFigures(() => ledger.fee(id, toKobo(17_500n)))).toEqual({});
    await expect(ledger.fee(id, toKobo(1n))).rejects.toThrow(/another provider fee/);
    const player = await ledger.addPlayer(toCoins(3n));
    expect(await watchFigures(() => ledger.leave(player, toCoins(3n)))).toEqual({ wallets: -3n, rounding: 3n });
  });
});
