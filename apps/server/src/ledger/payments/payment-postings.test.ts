import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoins, toKobo, wholeCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadPlatformFigures, lockWallet } from "../ledger.ts";
import { makeTestLedger, naira, newGameId, newPaymentId, type TestLedger, terms } from "../testing/test-ledger.ts";
import { loadPaymentEntries } from "./payment-entry-store.ts";

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

const conflict = { ok: false, refusal: { type: "entry_conflict" } };
const replayed = { ok: true, value: { replayed: true } };
const done = { ok: true, value: { replayed: false } };

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

async function addWithdrawal(): Promise<{ paymentId: PaymentId; player: PlayerId }> {
  const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(100))];
  expect(await ledger.withdraw(paymentId, player, naira(40))).toMatchObject(done);
  return { paymentId, player };
}

async function addDebtor(): Promise<PlayerId> {
  const [paymentId, gameId, player] = [newPaymentId(), newGameId(), await ledger.addPlayer(ZERO_COINS)];
  await ledger.deposit(paymentId, player, naira(100));
  await ledger.stake(gameId, 1, player);
  const rival = await ledger.addPlayer();
  await ledger.stake(gameId, 2, rival);
  await ledger.win(gameId, rival);
  await ledger.reverseDeposit(paymentId);
  return player;
}

describe("a deposit", () => {
  test("is credited rounded up, against clearing and the platform's rounding", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    const changes = await watchFigures(() => ledger.deposit(paymentId, player, toKobo(500_000n)));
    expect(changes).toEqual({ wallets: 16_339_870n, depositClearing: -16_339_869n, rounding: -1n });
    expect(await ledger.balance(player)).toBe(16_339_870n);
  });

  // [CONST-05 §9 r3,37] Coins are worth naira at the exchange rate, shown with two decimals. A deposit of ₦5,000 can
  // be withdrawn as ₦5,000 once it was played, else less fees (VALID-36).
  test("of five thousand naira can be taken out as five thousand naira [CONST-05]", async () => {
    const [player, out] = [await ledger.addPlayer(ZERO_COINS), newPaymentId()];
    await ledger.deposit(newPaymentId(), player, toKobo(500_000n));
    expect(await ledger.withdraw(out, player, toKobo(500_000n))).toMatchObject(done);
    expect(await ledger.balance(player)).toBe(1n);
    await ledger.paid(out);
  });

  test("is credited once, and refused with other content", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    expect(await ledger.deposit(paymentId, player, naira(10))).toMatchObject(done);
    expect(await ledger.deposit(paymentId, player, naira(10))).toMatchObject(replayed);
    expect(await ledger.deposit(paymentId, player, naira(11))).toEqual(conflict);
    expect(await ledger.deposit(paymentId, await ledger.addPlayer(), naira(10))).toEqual(conflict);
    expect(await ledger.balance(player)).toBe(wholeCoins(10));
  });

  test("asserts a positive amount", async () => {
    const player = await ledger.addPlayer(ZERO_COINS);
    for (const kobo of [0n, -1n]) {
      await expect(ledger.deposit(newPaymentId(), player, toKobo(kobo))).rejects.toThrow(/kobo/);
    }
  });
});

describe("a reversed deposit", () => {
  test("is taken from the wallet once", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(5))];
    await ledger.deposit(paymentId, player, toKobo(500_000n));
    const changes = await watchFigures(() => ledger.reverseDeposit(paymentId));
    expect(changes).toEqual({ wallets: -16_339_870n, depositClearing: 16_339_869n, rounding: 1n });
    expect(await ledger.reverseDeposit(paymentId)).toMatchObject({
      replayed: true,
      wallets: [{ balance: 5_000_000n }],
    });
    expect(await ledger.balance(player)).toBe(wholeCoins(5));
    expect(await ledger.debt(player)).toBe(0n);
  });

  test("becomes a debt as far as it was spent", async () => {
    const player = await addDebtor();
    expect(await ledger.balance(player)).toBe(0n);
    expect(await ledger.debt(player)).toBe(terms.entry);
  });

  test("becomes a debt as a whole with an empty wallet, once", async () => {
    const [paymentId, out, player] = [newPaymentId(), newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    await ledger.deposit(paymentId, player, naira(100));
    await ledger.withdraw(out, player, naira(100));
    await ledger.reverseDeposit(paymentId);
    expect(await ledger.debt(player)).toBe(wholeCoins(100));
    await ledger.deposit(newPaymentId(), player, naira(130));
    expect(await ledger.reverseDeposit(paymentId)).toMatchObject({ replayed: true });
    expect([await ledger.balance(player), await ledger.debt(player)]).toEqual([wholeCoins(30), 0n]);
  });

  test("asserts that it was credited", async () => {
    await expect(ledger.reverseDeposit(newPaymentId())).rejects.toThrow(/never credited/);
  });
});

describe("a deposit that is returned after a reversal", () => {
  test("is credited again, once", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    await ledger.deposit(paymentId, player, toKobo(500_000n));
    await ledger.reverseDeposit(paymentId);
    const changes = await watchFigures(() => ledger.returnDeposit(paymentId));
    expect(changes).toEqual({ wallets: 16_339_870n, depositClearing: -16_339_869n, rounding: -1n });
    expect(await ledger.returnDeposit(paymentId)).toMatchObject({ replayed: true });
    expect(await ledger.balance(player)).toBe(16_339_870n);
  });

  test("repays the debt of its reversal first", async () => {
    const [paymentId, out, player] = [newPaymentId(), newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    await ledger.deposit(paymentId, player, naira(100));
    await ledger.withdraw(out, player, naira(60));
    await ledger.reverseDeposit(paymentId);
    expect([await ledger.balance(player), await ledger.debt(player)]).toEqual([0n, wholeCoins(60)]);
    await ledger.returnDeposit(paymentId);
    expect([await ledger.balance(player), await ledger.debt(player)]).toEqual([wholeCoins(40), 0n]);
  });

  test("asserts that it was reversed", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    await ledger.deposit(paymentId, player, naira(10));
    await expect(ledger.returnDeposit(paymentId)).rejects.toThrow(/never taken back/);
  });
});

describe("the remainder of a closed account", () => {
  test("goes to the rounding account while it is worth less than a kobo", async () => {
    const player = await ledger.addPlayer(toCoins(32n));
    const changes = await watchFigures(() => ledger.leave(player, toCoins(32n)));
    expect(changes).toEqual({ wallets: -32n, rounding: 32n });
    const richer = await ledger.addPlayer(toCoins(33n));
    await expect(ledger.leave(richer, toCoins(33n))).rejects.toThrow(/remainder/);
  });
});

describe("a debt", () => {
  test("is repaid first from a deposit", async () => {
    const player = await addDebtor();
    expect(await ledger.deposit(newPaymentId(), player, naira(40))).toMatchObject({
      ok: true,
      value: { replayed: false, wallets: [{ playerId: player, balance: 0n }] },
    });
    expect(await ledger.debt(player)).toBe(toCoins(24_440_000n));
    expect(await ledger.deposit(newPaymentId(), player, naira(30))).toMatchObject({
      ok: true,
      value: { wallets: [{ playerId: player, balance: 5_560_000n }] },
    });
    expect(await ledger.debt(player)).toBe(0n);
    await ledger.deposit(newPaymentId(), player, naira(30));
    expect(await ledger.balance(player)).toBe(toCoins(35_560_000n));
  });

  test.each(["win", "draw", "refund"] as const)(
    "is repaid from a %s of a game that was open meanwhile",
    async (end) => {
      const [paymentId, gameId, player] = [newPaymentId(), newGameId(), await ledger.addPlayer(ZERO_COINS)];
      await ledger.deposit(paymentId, player, naira(100));
      await ledger.stake(gameId, 1, player);
      await ledger.stake(gameId, 2, await ledger.addPlayer());
      await ledger.reverseDeposit(paymentId);
      expect(await ledger.debt(player)).toBe(terms.entry);
      if (end === "win") await ledger.win(gameId, player);
      else await ledger[end](gameId);
      const paid = { win: terms.winnings, draw: terms.drawReturn, refund: terms.entry }[end];
      const net = toCoins(paid - terms.entry);
      expect([await ledger.balance(player), await ledger.debt(player)]).toEqual(
        net > 0n ? [net, 0n] : [0n, toCoins(-net)],
      );
    },
  );

  test("is repaid from a returned withdrawal", async () => {
    const [paymentId, out, player] = [newPaymentId(), newPaymentId(), await ledger.addPlayer(ZERO_COINS)];
    await ledger.deposit(paymentId, player, naira(100));
    await ledger.withdraw(out, player, naira(100));
    await ledger.reverseDeposit(paymentId);
    await ledger.giveBack(out);
    expect([await ledger.balance(player), await ledger.debt(player)]).toEqual([0n, 0n]);
  });

  test("is not repaid by the opponent of a draw", async () => {
    const [paymentId, gameId, player] = [newPaymentId(), newGameId(), await ledger.addPlayer(ZERO_COINS)];
    const rival = await ledger.addPlayer(terms.entry);
    await ledger.deposit(paymentId, player, naira(100));
    await ledger.stake(gameId, 1, player);
    await ledger.stake(gameId, 2, rival);
    await ledger.reverseDeposit(paymentId);
    await ledger.draw(gameId);
    expect(await ledger.balance(rival)).toBe(terms.drawReturn);
  });
});

describe("a withdrawal", () => {
  test("holds its coins when it is accepted, once, rounded down", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(100))];
    const changes = await watchFigures(() => ledger.withdraw(paymentId, player, toKobo(500_000n)));
    expect(changes).toEqual({ wallets: -16_339_869n, withdrawalClearing: 16_339_869n });
    expect(await ledger.withdraw(paymentId, player, toKobo(500_000n))).toMatchObject(replayed);
    expect(await ledger.withdraw(paymentId, player, toKobo(500_001n))).toEqual(conflict);
  });

  test("is refused above the balance, but not when it is repeated with an empty wallet", async () => {
    const [paymentId, player] = [newPaymentId(), await ledger.addPlayer(wholeCoins(100))];
    expect(await ledger.withdraw(newPaymentId(), player, naira(101))).toEqual({
      ok: false,
      refusal: { type: "insufficient_balance", have: wholeCoins(100), need: wholeCoins(101) },
    });
    expect(await ledger.withdraw(paymentId, player, naira(100))).toMatchObject(done);
    expect(await ledger.withdraw(paymentId, player, naira(100))).toMatchObject(replayed);
    expect(await ledger.balance(player)).toBe(0n);
  });

  test("lowers the clearing account once it was sent", async () => {
    const { paymentId } = await addWithdrawal();
    const changes = await watchFigures(() => ledger.paid(paymentId));
    expect(changes).toEqual({ withdrawalClearing: -40_000_000n, depositClearing: 40_000_000n });
  });

  test("returns to its wallet where it was not sent", async () => {
    const { paymentId, player } = await addWithdrawal();
    expect(await ledger.giveBack(paymentId)).toMatchObject({
      ok: true,
      value: { replayed: false, wallets: [{ playerId: player, balance: wholeCoins(100) }] },
    });
  });

  test("that came back after it was sent is credited by one more entry", async () => {
    const { paymentId, player } = await addWithdrawal();
    await ledger.paid(paymentId);
    const changes = await watchFigures(() => ledger.cameBack(paymentId));
    expect(changes).toEqual({ wallets: 40_000_000n, depositClearing: -40_000_000n });
    expect(await ledger.balance(player)).toBe(wholeCoins(100));
  });

  test("that was sent after its return is the platform's loss until it comes back", async () => {
    const { paymentId, player } = await addWithdrawal();
    await ledger.giveBack(paymentId);
    const lost = await watchFigures(() => ledger.paidLate(paymentId));
    expect(lost).toEqual({ providerLoss: -40_000_000n, depositClearing: 40_000_000n });
    const recovered = await watchFigures(() => ledger.cameBack(paymentId));
    expect(recovered).toEqual({ providerLoss: 40_000_000n, depositClearing: -40_000_000n });
    expect(await ledger.balance(player)).toBe(wholeCoins(100));
  });

  type Word = "paid" | "giveBack" | "cameBack" | "paidLate";
  const AFTER: readonly (readonly [history: readonly Word[], takesEffect: readonly Word[], stands: readonly Word[]])[] =
    [
      [[], ["paid", "giveBack"], []],
      [["paid"], ["cameBack"], ["paid"]],
      [["giveBack"], ["paidLate"], ["giveBack"]],
      [["paid", "cameBack"], ["paidLate"], ["paid", "cameBack"]],
      [["paid", "cameBack", "paidLate"], ["cameBack"], ["giveBack", "paidLate"]],
      [["giveBack", "paidLate"], ["cameBack"], ["giveBack", "paidLate"]],
      [["giveBack", "paidLate", "cameBack"], [], ["giveBack", "paidLate", "cameBack"]],
    ];
  for (const [history, takesEffect, stands] of AFTER) {
    for (const word of ["paid", "giveBack", "cameBack", "paidLate"] as const) {
      const answer = takesEffect.includes(word) ? done : stands.includes(word) ? replayed : conflict;
      const what = answer === done ? "takes effect" : answer === replayed ? "changes nothing" : "is refused";
      test(`${history.join(", ") || "held"}: ${word} ${what}`, async () => {
        const { paymentId } = await addWithdrawal();
        for (const before of history) expect(await ledger[before](paymentId)).toMatchObject(done);
        const count = (await loadPaymentEntries(database.kysely, paymentId)).length;
        expect(await ledger[word](paymentId)).toMatchObject(answer);
        expect(await loadPaymentEntries(database.kysely, paymentId)).toHaveLength(answer === done ? count + 1 : count);
      });
    }
  }

  test("cannot end without a hold", async () => {
    const [deposit, player] = [newPaymentId(), await ledger.addPlayer()];
    await ledger.deposit(deposit, player, naira(1));
    for (const paymentId of [deposit, newPaymentId()]) {
      await expect(ledger.paid(paymentId)).rejects.toThrow(/holds nothing/);
      await expect(ledger.giveBack(paymentId)).rejects.toThrow(/holds nothing/);
    }
  });

  test("is listed as it was posted", async () => {
    const { paymentId, player } = await addWithdrawal();
    await ledger.paid(paymentId);
    const details = { paymentId, reference: `holo-${paymentId}`, kobo: 1_224_000, rateKobo: 30_600 };
    const clearing = { kind: "withdrawal_clearing", owner: "" };
    expect(await loadPaymentEntries(database.kysely, paymentId)).toEqual([
      {
        kind: "withdrawal_hold",
        source: paymentId,
        details,
        postings: [
          { account: { kind: "wallet", owner: player }, amount: -40_000_000n },
          { account: clearing, amount: 40_000_000n },
        ],
      },
      {
        kind: "withdrawal_paid",
        source: paymentId,
        details,
        postings: [
          { account: clearing, amount: -40_000_000n },
          { account: { kind: "deposit_clearing", owner: "" }, amount: 40_000_000n },
        ],
      },
    ]);
  });
});

test("posts a provider fee once for a payment", async () => {
  const paymentId = newPaymentId();
  const changes = await watchFigures(() => ledger.fee(paymentId, toKobo(17_500n)));
  expect(changes).toEqual({ providerFees: -571_896n, depositClearing: 571_896n });
  expect(await ledger.fee(paymentId, toKobo(17_500n))).toMatchObject(replayed);
  expect(await ledger.fee(paymentId, toKobo(17_501n))).toEqual(conflict);
});

test("reads the balance under the wallet's lock", async () => {
  const player = await ledger.addPlayer(wholeCoins(3));
  expect(await transact(database, (tx) => lockWallet(tx, player))).toBe(wholeCoins(3));
});
