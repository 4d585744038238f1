import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, toKobo } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DepositUse, decideUnplayed } from "./decide-unplayed.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const coins = (amount: number | bigint): Coins => toCoins(BigInt(amount));
const ALL = coins(10n ** 12n);

const TERMS = { feeKobo: toKobo(0n), rateKobo: 30_600, isCard: false };

const idOf = (name: string) => name as PaymentId;
const deposited = (amount: number, name = "any"): DepositUse => {
  return { type: "deposited", paymentId: idOf(name), coins: coins(amount), ...TERMS };
};
const takenBack = (amount: number, name: string): DepositUse => {
  return { type: "taken_back", paymentId: idOf(name), coins: coins(amount) };
};
const staked = (amount: number): DepositUse => ({ type: "staked", coins: coins(amount) });
const withdrawn = (unplayed: number): DepositUse => ({ type: "withdrawn", unplayedCoins: coins(unplayed) });

function left(history: readonly DepositUse[], balance = ALL): (readonly [bigint, bigint])[] {
  return decideUnplayed(history, balance).map((deposit) => [deposit.coins, deposit.creditedCoins]);
}

test("takes staked coins from the newest deposits, withdrawn coins from the oldest", () => {
  const deposits = [deposited(100), deposited(200), deposited(300)];
  expect(left([...deposits, staked(350)])).toEqual([
    [100n, 100n],
    [150n, 200n],
  ]);
  expect(left([...deposits, withdrawn(150)])).toEqual([
    [150n, 200n],
    [300n, 300n],
  ]);
  expect(left([staked(50), deposited(100), withdrawn(0)])).toEqual([[100n, 100n]]);
});

test("takes a reversed deposit that was staked from the other deposits, later ones included", () => {
  const deposits = [deposited(100, "ada"), deposited(200, "bola")];
  expect(left([...deposits, takenBack(100, "ada")])).toEqual([[200n, 200n]]);
  expect(left([...deposits, takenBack(40, "ada")])).toEqual([
    [60n, 100n],
    [200n, 200n],
  ]);
  expect(left([...deposits, staked(250), takenBack(200, "bola"), deposited(300)])).toEqual([[150n, 300n]]);
});

test("finds at most the balance", () => {
  expect(left([deposited(100), deposited(100)], coins(120))).toEqual([
    [100n, 100n],
    [20n, 100n],
  ]);
});

const amount = fc.integer({ min: 1, max: 200 });

test("finds the largest excess of deposits over stakes since any moment", () => {
  const moves = fc.array(fc.record({ isDeposit: fc.boolean(), amount }), { maxLength: 30 });
  fc.assert(
    fc.property(moves, (all) => {
      const history = all.map((move) => (move.isDeposit ? deposited(move.amount) : staked(move.amount)));
      const sums = [0];
      for (const move of all) sums.push(sums.at(-1)! + (move.isDeposit ? 1 : -1) * move.amount);
      const expected = Math.max(...sums.map((sum) => sums.at(-1)! - sum));
      const total = decideUnplayed(history, ALL).reduce((sum, deposit) => sum + deposit.coins, 0n);
      expect(total).toBe(BigInt(expected));
    }),
  );
});

test("frees at most what games paid of withdrawal fees, in any order of steps", () => {
  const move = fc.record({ type: fc.constantFrom("deposit", "stake", "win", "withdraw"), amount });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (all) => {
      const history: DepositUse[] = [];
      let [balance, won, free] = [0, 0, 0];
      for (const { type, amount: size } of all) {
        if (type === "deposit") history.push(deposited(size));
        if (type === "win") won += size;
        if (type === "deposit" || type === "win") balance += size;
        if ((type === "stake" || type === "withdraw") && size > balance) continue;
        if (type === "stake") history.push(staked(size));
        if (type === "withdraw") {
          const unplayed = decideUnplayed(history, coins(balance)).reduce((sum, one) => sum + one.coins, 0n);
          const played = balance - Number(unplayed);
          expect(played).toBeGreaterThanOrEqual(0);
          const part = Math.max(0, size - played);
          free += size - part;
          history.push(withdrawn(part));
        }
        if (type === "stake" || type === "withdraw") balance -= size;
      }
      expect(free).toBeLessThanOrEqual(won);
    }),
  );
});
