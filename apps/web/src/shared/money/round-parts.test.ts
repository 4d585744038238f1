import { formatCoins, toCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { roundParts } from "./round-parts.ts";

// [SITE-40 §8 r3] The shown parts of a sum of coins add up to it, to the hundredth: what players are owed, the Admin
// Wallet's receipt, the wallet's balance with the lots that settle, and coins that staff take back.
test("the shown parts of a sum add up to the shown sum, each within a hundredth, the first rounded down [SITE-40]", () => {
  const show = (parts: readonly bigint[]) => {
    const coins = parts.map(toCoins);
    const total = toCoins(parts.reduce((sum, part) => sum + part, 0n));
    return roundParts(coins, total).map((part) => formatCoins(part));
  };
  // a game's two buy-ins, and what their players have left of 1,000 HC
  expect(show([974_224_000n, 25_776_000n, 0n])).toEqual(["974.22", "25.78", "0.00"]);
  const part = fc.bigInt({ min: -9_000_000_000n, max: 9_000_000_000n });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const total = parts.reduce((sum, one) => sum + one, 0n);
      const shown = roundParts(parts.map(toCoins), toCoins(total));
      const sum = toCoins(shown.reduce((all, one) => all + one, 0n));
      expect(formatCoins(sum, "down", 6)).toBe(`${formatCoins(toCoins(total))}0000`);
      if (parts[0] !== undefined) expect(formatCoins(shown[0]!)).toBe(formatCoins(toCoins(parts[0])));
      for (const [index, one] of shown.entries()) {
        const off = one - parts[index]!;
        expect(off > -10_000n && off < 10_000n).toBe(true);
        if (parts[index]! % 10_000n === 0n) expect(off).toBe(0n);
      }
    }),
  );
});
