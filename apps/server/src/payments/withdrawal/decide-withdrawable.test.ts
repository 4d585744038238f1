import { addMs, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideWithdrawable, HOLDING_MS } from "./decide-withdrawable.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const start = toInstant(Date.UTC(2026, 0, 1));
/** Exact holocoins with two decimals. */
const hc = (amount: number): Coins => toCoins(BigInt(Math.round(amount * 100)) * 10_000n);
const afterHours = (hours: number) => addMs(start, hours * HOUR_MS);
const toLot = ([hours, coins]: Amount) => ({ at: afterHours(hours), coins: hc(coins) });

type Amount = readonly [hours: number, coins: number];

interface Holding {
  readonly title: string;
  readonly lots: readonly Amount[];
  readonly at: number;
  readonly balance: number;
  readonly withdrawable: number;
  readonly frees: readonly Amount[];
}

const HOLDINGS: readonly Holding[] = [
  { title: "nothing ever happened", lots: [], at: 1, balance: 0, withdrawable: 0, frees: [] },
  { title: "never played", lots: [], at: 1, balance: 100, withdrawable: 100, frees: [] },
  {
    title: "a lot beside settled coins",
    lots: [[2, 100]],
    at: 3,
    balance: 135.56,
    withdrawable: 35.56,
    frees: [[26, 100]],
  },
  {
    title: "two lots",
    lots: [
      [1, 55.56],
      [2, 46.68],
    ],
    at: 5,
    balance: 202.24,
    withdrawable: 100,
    frees: [
      [25, 55.56],
      [26, 46.68],
    ],
  },
  {
    title: "two lots of one instant",
    lots: [
      [1, 10],
      [1, 20],
    ],
    at: 2,
    balance: 30,
    withdrawable: 0,
    frees: [[25, 30]],
  },
  {
    title: "a stake beyond what is settled leaves nothing to withdraw, and no more frees than there is",
    lots: [[1, 100]],
    at: 2,
    balance: 55.56,
    withdrawable: 0,
    frees: [[25, 55.56]],
  },
  {
    title: "of two lots that a stake cuts into, the later frees the more",
    lots: [
      [1, 50],
      [3, 50],
    ],
    at: 4,
    balance: 35.56,
    withdrawable: 0,
    frees: [[27, 35.56]],
  },
  {
    title: "a lot is held to the last millisecond",
    lots: [[1, 100]],
    at: 25 - 1 / HOUR_MS,
    balance: 100,
    withdrawable: 0,
    frees: [[25, 100]],
  },
  { title: "and free from then on", lots: [[1, 100]], at: 25, balance: 100, withdrawable: 100, frees: [] },
];

describe("the withdrawable balance", () => {
  test.each(HOLDINGS)("$title [VALID-26 CONST-06]", ({ lots, at, balance, withdrawable, frees }) => {
    expect(decideWithdrawable(hc(balance), lots.map(toLot), afterHours(at))).toEqual({
      withdrawable: hc(withdrawable),
      frees: frees.map(toLot),
    });
  });
});

const lot = fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 100 }));
const lots = fc.array(lot, { maxLength: 15 }).map((all) => all.map(toLot).toSorted((a, b) => a.at - b.at));
const balance = fc.nat({ max: 1_000 }).map(hc);
const hour = fc.integer({ min: 60, max: 90 }).map(afterHours);

test("is within 0 and the balance, and completes it with what becomes free later [VALID-26]", () => {
  fc.assert(
    fc.property(balance, lots, hour, (have, all, now) => {
      const { withdrawable, frees } = decideWithdrawable(have, all, now);
      expect(withdrawable >= 0n && withdrawable <= have).toBe(true);
      expect(frees.reduce((sum, { coins }) => sum + coins, withdrawable as bigint)).toBe(have);
      expect(frees.every(({ at }) => at > now && at <= now + HOLDING_MS)).toBe(true);
    }),
  );
});

test("frees each amount at the stated moment", () => {
  fc.assert(
    fc.property(balance, lots, hour, (have, all, now) => {
      const { withdrawable, frees } = decideWithdrawable(have, all, now);
      let free: bigint = withdrawable;
      for (const { at, coins } of frees) {
        expect(decideWithdrawable(have, all, addMs(at, -1)).withdrawable).toBe(free);
        free += coins;
      }
      expect(decideWithdrawable(have, all, addMs(now, HOLDING_MS)).withdrawable).toBe(have);
    }),
  );
});
