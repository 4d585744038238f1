import { addMs, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, decideWithdrawable, HOLDING_MS } from "./decide-withdrawable.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const start = toInstant(Date.UTC(2026, 0, 1));
/** Exact holocoins with two decimals. */
const hc = (amount: number): Coins => toCoins(BigInt(Math.round(amount * 100)) * 10_000n);
const afterHours = (hours: number) => addMs(start, hours * HOUR_MS);

interface History {
  readonly title: string;
  readonly settled: number;
  readonly changes: readonly (readonly [hours: number, coins: number])[];
  /** Staked in an open game: not in the balance and not lost yet. */
  readonly inPlay?: number;
  readonly at: number;
  readonly balance: number;
  readonly withdrawable: number;
  readonly frees: readonly (readonly [hours: number, coins: number])[];
}

const WON = 55.56;
const LOST = -64.44;
const DRAWN = -4.44;

const wonAndLost = (first: number, then: number) =>
  Array.from({ length: 10 }, (_, i) => [i + 1, i % 2 === 0 ? first : then] as const);

const HISTORIES: readonly History[] = [
  { title: "nothing ever happened", settled: 0, changes: [], at: 1, balance: 0, withdrawable: 0, frees: [] },
  { title: "never played", settled: 100, changes: [], at: 1, balance: 100, withdrawable: 100, frees: [] },
  {
    title: "settled 100, lose 64.44, deposit 100",
    settled: 100,
    changes: [
      [1, LOST],
      [2, 100],
    ],
    at: 3,
    balance: 135.56,
    withdrawable: 35.56,
    frees: [[26, 100]],
  },
  {
    title: "settled 100, deposit 100, lose 64.44: the deposit is lost first",
    settled: 100,
    changes: [
      [1, 100],
      [2, LOST],
    ],
    at: 3,
    balance: 135.56,
    withdrawable: 100,
    frees: [[25, 35.56]],
  },
  {
    title: "settled 100, lose 64.44, win 55.56",
    settled: 100,
    changes: [
      [1, LOST],
      [2, WON],
    ],
    at: 3,
    balance: 91.12,
    withdrawable: 35.56,
    frees: [[26, WON]],
  },
  {
    title: "settled 184.32, ten games won and lost in turn in a day",
    settled: 184.32,
    changes: wonAndLost(WON, LOST),
    at: 11,
    balance: 139.92,
    withdrawable: 139.92,
    frees: [],
  },
  {
    title: "settled 184.32, ten games lost and won in turn in a day",
    settled: 184.32,
    changes: wonAndLost(LOST, WON),
    at: 11,
    balance: 139.92,
    withdrawable: 84.36,
    frees: [[34, WON]],
  },
  {
    title: "five wins, then a loss that eats the newest and a part of the one before",
    settled: 100,
    changes: [
      [1, WON],
      [2, WON],
      [3, WON],
      [4, LOST],
    ],
    at: 5,
    balance: 202.24,
    withdrawable: 100,
    frees: [
      [25, WON],
      [26, 46.68],
    ],
  },
  {
    title: "a loss beyond every lot takes the rest from what is settled",
    settled: 100,
    changes: [
      [1, 20],
      [2, 20],
      [3, LOST],
    ],
    at: 4,
    balance: 75.56,
    withdrawable: 75.56,
    frees: [],
  },
  {
    title: "a draw costs its fee, of the newest lot",
    settled: 50,
    changes: [
      [1, 100],
      [2, DRAWN],
    ],
    at: 3,
    balance: 145.56,
    withdrawable: 50,
    frees: [[25, 95.56]],
  },
  {
    title: "a draw without lots costs settled coins",
    settled: 100,
    changes: [[1, DRAWN]],
    at: 2,
    balance: 95.56,
    withdrawable: 95.56,
    frees: [],
  },
  {
    title: "a refunded game changes nothing",
    settled: 100,
    changes: [],
    at: 2,
    balance: 100,
    withdrawable: 100,
    frees: [],
  },
  {
    title: "a stake in an open game comes out of what is settled",
    settled: 100,
    changes: [[1, 100]],
    inPlay: 64.44,
    at: 2,
    balance: 135.56,
    withdrawable: 35.56,
    frees: [[25, 100]],
  },
  {
    title: "a stake beyond what is settled leaves nothing to withdraw, and no more frees than there is",
    settled: 20,
    changes: [[1, 100]],
    inPlay: 64.44,
    at: 2,
    balance: 55.56,
    withdrawable: 0,
    frees: [[25, 55.56]],
  },
  {
    title: "of two lots that a stake cuts into, the later frees the more",
    settled: 0,
    changes: [
      [1, 50],
      [3, 50],
    ],
    inPlay: 64.44,
    at: 4,
    balance: 35.56,
    withdrawable: 0,
    frees: [[27, 35.56]],
  },
  {
    title: "a lot is held to the last millisecond",
    settled: 0,
    changes: [[1, 100]],
    at: 25 - 1 / HOUR_MS,
    balance: 100,
    withdrawable: 0,
    frees: [[25, 100]],
  },
  {
    title: "and free from then on",
    settled: 0,
    changes: [[1, 100]],
    at: 25,
    balance: 100,
    withdrawable: 100,
    frees: [],
  },
  {
    title: "a loss consumes no lot that came after it",
    settled: 0,
    changes: [
      [1, 50],
      [2, -50],
      [3, 80],
    ],
    at: 4,
    balance: 80,
    withdrawable: 0,
    frees: [[27, 80]],
  },
];

describe("the withdrawable balance", () => {
  test.each(HISTORIES)(
    "$title [VALID-26 CONST-06]",
    ({ settled, changes, inPlay = 0, at, balance, withdrawable, frees }) => {
      const sum = changes.reduce((total, [, coins]) => total + hc(coins), hc(settled) - hc(inPlay));
      expect(sum).toBe(hc(balance));
      const history = changes.map(([hours, coins]) => ({ at: afterHours(hours), coins: hc(coins) }));
      expect(decideWithdrawable(hc(balance), history, afterHours(at))).toEqual({
        withdrawable: hc(withdrawable),
        frees: frees.map(([hours, coins]) => ({ at: afterHours(hours), coins: hc(coins) })),
      });
    },
  );
});

const change = fc.record({ hours: fc.nat({ max: 60 }), coins: fc.integer({ min: -100, max: 100 }) });
const history = fc.array(change, { maxLength: 15 }).map((changes) =>
  changes
    .toSorted((a, b) => a.hours - b.hours)
    .filter(({ coins }) => coins !== 0)
    .map(({ hours, coins }) => ({ at: afterHours(hours), coins: hc(coins) })),
);
const balance = fc.nat({ max: 1_000 }).map(hc);
const hour = fc.integer({ min: 60, max: 90 }).map(afterHours);

function decideSlowly(have: Coins, changes: readonly Change[], now: number): bigint {
  const lots: { at: number; left: bigint }[] = [];
  for (const { at, coins } of changes) {
    if (coins > 0n) lots.push({ at, left: coins });
    let loss = coins < 0n ? -coins : 0n;
    for (const lot of lots.toReversed()) {
      if (lot.at + HOLDING_MS <= at) continue;
      const eaten = lot.left < loss ? lot.left : loss;
      lot.left -= eaten;
      loss -= eaten;
    }
  }
  const held = lots.filter(({ at }) => at + HOLDING_MS > now).reduce((sum, { left }) => sum + left, 0n);
  return have > held ? have - held : 0n;
}

test("is within 0 and the balance, and completes it with what becomes free later [VALID-26]", () => {
  fc.assert(
    fc.property(balance, history, hour, (have, changes, now) => {
      const { withdrawable, frees } = decideWithdrawable(have, changes, now);
      expect(withdrawable >= 0n && withdrawable <= have).toBe(true);
      expect(frees.reduce((sum, { coins }) => sum + coins, withdrawable as bigint)).toBe(have);
      expect(frees.every(({ at }) => at > now && at <= now + HOLDING_MS)).toBe(true);
    }),
  );
});

test("follows the rule lot by lot, without lots older than a day", () => {
  fc.assert(
    fc.property(balance, history, hour, (have, changes, now) => {
      const recent = changes.filter(({ at }) => at > now - HOLDING_MS);
      const { withdrawable } = decideWithdrawable(have, changes, now);
      expect(withdrawable).toBe(decideSlowly(have, changes, now));
      expect(decideWithdrawable(have, recent, now)).toEqual(decideWithdrawable(have, changes, now));
    }),
  );
});

test("frees each amount at the stated moment", () => {
  fc.assert(
    fc.property(balance, history, hour, (have, changes, now) => {
      const { withdrawable, frees } = decideWithdrawable(have, changes, now);
      let free: bigint = withdrawable;
      for (const { at, coins } of frees) {
        expect(decideWithdrawable(have, changes, addMs(at, -1)).withdrawable).toBe(free);
        free += coins;
      }
      expect(decideWithdrawable(have, changes, addMs(now, HOLDING_MS)).withdrawable).toBe(have);
    }),
  );
});
