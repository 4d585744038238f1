import { formatCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { DEFAULT_FEE_BPS, type Stake, toTerms } from "./stakes.ts";

/** Ruling 4 written out: [stake, pieces, stake total, entry, winner receives, platform earns]. */
const TABLE: readonly [Stake, number, string, string, string, string][] = [
  [1, 12, "12.000000", "12.888000", "24.000000", "1.776000"],
  [2, 12, "24.000000", "25.776000", "48.000000", "3.552000"],
  [5, 12, "60.000000", "64.440000", "120.000000", "8.880000"],
  [10, 12, "120.000000", "128.880000", "240.000000", "17.760000"],
  [1, 16, "16.000000", "17.184000", "32.000000", "2.368000"],
  [10, 16, "160.000000", "171.840000", "320.000000", "23.680000"],
];

test.each(TABLE)("a stake of %d on %d pieces [WHAT-05]", (stake, pieces, total, entry, winnings, platformFee) => {
  const terms = toTerms(stake, pieces, DEFAULT_FEE_BPS);
  const written = [terms.stakeTotal, terms.entry, terms.winnings, terms.platformFee].map((coins) =>
    formatCoins(coins, "down", 6),
  );
  expect(written).toEqual([total, entry, winnings, platformFee]);
});

test.each([0, 1, 333, 740, 9_999, 10_000])("no micro-coin is lost or made at a fee of %d basis points", (feeBps) => {
  for (const pieces of [12, 16]) {
    const terms = toTerms(10, pieces, feeBps);
    expect(terms.entry * 2n).toBe(terms.winnings + terms.platformFee);
    expect(terms.drawReturn * 2n + terms.platformFee).toBe(terms.entry * 2n);
  }
});
