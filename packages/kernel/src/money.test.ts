import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCoins, parseCoins, toCoins, wholeCoins } from "./money.ts";

test.each([
  [64_440_000n, "down", "64.44"],
  [64_449_999n, "down", "64.44"],
  [64_440_001n, "up", "64.45"],
  [888_000n, "up", "0.89"],
  [0n, "up", "0.00"],
  [1_234_567_890_000n, "down", "1,234,567.89"],
  [-25_776_000n, "down", "−25.78"],
  [-25_776_000n, "up", "−25.77"],
  [-1n, "up", "0.00"],
] as const)("%d micro-coins rounded %s read %s", (micro, rounding, text) => {
  expect(formatCoins(toCoins(micro), rounding)).toBe(text);
});

test("all six decimals are shown on demand", () => {
  expect(formatCoins(toCoins(17_184_001n), "down", 6)).toBe("17.184001");
});

test("what is on the wire is read back exactly", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -9_000_000_000_000_000n, max: 9_000_000_000_000_000n }), (micro) => {
      expect(parseCoins(String(micro))).toEqual({ ok: true, value: micro });
    }),
  );
});

test.each(["", "1.5", "1e3", " 1", "0x10", "12345678901234567", "NaN"])("%j is not coins", (text) => {
  expect(parseCoins(text)).toEqual({ ok: false, refusal: "not_coins" });
});

test("a whole coin is a million", () => {
  expect(wholeCoins(5)).toBe(5_000_000n);
});
