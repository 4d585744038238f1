import { formatCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { DEFAULT_FEE_BPS, toGameFeeBps, toTerms } from "./platform-fee.ts";
import { listPaidStakes, STAKES, type Stake } from "./stakes.ts";

/** Ruling 4: [stake, pieces, stake total, buy-in, winner's credit, platform's revenue]. */
const TABLE: readonly [Stake, number, string, string, string, string][] = [
  [1, 12, "12.000000", "12.888000", "24.000000", "1.776000"],
  [2, 12, "24.000000", "25.776000", "48.000000", "3.552000"],
  [5, 12, "60.000000", "64.440000", "120.000000", "8.880000"],
  [10, 12, "120.000000", "128.880000", "240.000000", "17.760000"],
  [1, 16, "16.000000", "17.184000", "32.000000", "2.368000"],
  [10, 16, "160.000000", "171.840000", "320.000000", "23.680000"],
];

// [WHAT-05 §1,9] Checkers has twelve pieces per player, chess sixteen. The stake is paid for each piece.
test.each(TABLE)(
  "a stake of %d on %d pieces [WHAT-05 CONST-01]",
  (stake, pieces, total, buyIn, winnings, platformFee) => {
    const terms = toTerms(stake, pieces, DEFAULT_FEE_BPS);
    const written = [terms.stakeTotal, terms.buyIn, terms.winnings, terms.platformFee].map((coins) =>
      formatCoins(coins, "down", 6),
    );
    expect(written).toEqual([total, buyIn, winnings, platformFee]);
  },
);

test.each([0, 1, 333, 740, 9_999, 10_000])("loses and creates no micro-coin at a fee of %d basis points", (feeBps) => {
  for (const pieces of [12, 16]) {
    const terms = toTerms(10, pieces, feeBps);
    expect(terms.buyIn * 2n).toBe(terms.winnings + terms.platformFee);
    expect(terms.drawReturn * 2n + terms.platformFee).toBe(terms.buyIn * 2n);
  }
});

test("a free game costs nothing, whatever the fee in force, and a staked one has that fee", () => {
  const none = { stakeTotal: 0n, fee: 0n, buyIn: 0n, winnings: 0n, drawReturn: 0n, platformFee: 0n };
  expect(toTerms(0, 16, toGameFeeBps(0, DEFAULT_FEE_BPS))).toEqual(none);
  expect(STAKES.filter((stake) => toGameFeeBps(stake, DEFAULT_FEE_BPS) === 0)).toEqual([0]);
  expect(listPaidStakes()).toEqual([1, 2, 5, 10]);
});
