import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatChange,
  formatCoins,
  KOBO_MAX,
  parseCoins,
  toCoins,
  toCoinsIn,
  toCoinsOut,
  toKobo,
  toKoboOut,
  toKoboWorth,
  wholeCoins,
} from "./money.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

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
] as const)("formats %d micro-coins rounded %s as %s [HEAD-04]", (micro, rounding, text) => {
  expect(formatCoins(toCoins(micro), rounding)).toBe(text);
});

test.each([
  [12_888_000n, "price", "12.89"],
  [34_368_000n, "price", "34.37"],
  [17_184_000n, "price", "17.19"],
  [16_339_870n, "balance", "16.33"],
] as const)("shows %d micro-coins and their reversal as the same %s", (micro, rounding, text) => {
  expect(formatChange(toCoins(micro), rounding)).toBe(`+${text}`);
  expect(formatChange(toCoins(-micro), rounding)).toBe(`−${text}`);
  expect(formatChange(toCoins(0n), rounding)).toBe("0.00");
});

test("shows all six decimals on demand", () => {
  expect(formatCoins(toCoins(17_184_001n), "down", 6)).toBe("17.184001");
});

test("parses every amount that goes over the wire", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -9_000_000_000_000_000n, max: 9_000_000_000_000_000n }), (micro) => {
      expect(parseCoins(String(micro))).toEqual({ ok: true, value: micro });
    }),
  );
});

test.each(["", "1.5", "1e3", " 1", "0x10", "12345678901234567", "NaN"])("refuses to parse %j", (text) => {
  expect(parseCoins(text)).toEqual({ ok: false, refusal: "not_coins" });
});

test("counts a million micro-coins for a whole coin", () => {
  expect(wholeCoins(5)).toBe(5_000_000n);
});

test.each([
  [30_600n, 1_000_000n, 1_000_000n],
  [500_000n, 16_339_870n, 16_339_869n],
  [100_000n, 3_267_974n, 3_267_973n],
  [1n, 33n, 32n],
  [0n, 0n, 0n],
])("converts %d kobo at 30600 to %d micro-coins in and %d out", (kobo, given, taken) => {
  expect(toCoinsIn(toKobo(kobo), 30_600)).toBe(given);
  expect(toCoinsOut(toKobo(kobo), 30_600)).toBe(taken);
});

test("allows a deposit of five thousand naira to be withdrawn in full [CONST-05]", () => {
  expect(toKoboOut(toCoins(16_339_870n), 30_600)).toBe(500_000n);
  expect(toKoboOut(toCoins(16_339_869n), 30_600)).toBe(500_000n);
  expect(toKoboOut(toCoins(16_339_868n), 30_600)).toBe(499_999n);
  expect(toKoboOut(toCoins(-1n), 30_600)).toBe(0n);
});

test("values coins above the largest payment as a whole, and pays them out in parts", () => {
  expect(toKoboWorth(wholeCoins(10_000_000), 30_600)).toBe(306_000_000_000n);
  expect(toKoboOut(wholeCoins(10_000_000), 30_600)).toBe(KOBO_MAX);
  expect(toKoboWorth(toCoins(16_339_869n), 30_600)).toBe(500_000n);
  expect(toKoboWorth(toCoins(-1n), 30_600)).toBe(0n);
});

test("values no coins at nothing, however much a holocoin costs", () => {
  for (const rate of [1, 30_600, 1_000_000, 1_000_001, 50_000_000]) {
    expect(toKoboWorth(toCoins(0n), rate)).toBe(0n);
    expect(toKoboOut(toCoins(0n), rate)).toBe(0n);
  }
  // 1.99… coins, rounded down when withdrawn.
  expect(toKoboWorth(toCoins(1n), 50_000_000)).toBe(99n);
});

test.each([
  [-1n, 30_600],
  [KOBO_MAX + 1n, 30_600],
  [1n, 0],
  [1n, -30_600],
  [1n, 0.5],
  [1n, Number.NaN],
  [KOBO_MAX, 1],
])("asserts the bounds of %d kobo at rate %d", (kobo, rate) => {
  expect(() => toCoinsIn(toKobo(kobo), rate)).toThrow();
  expect(() => toCoinsOut(toKobo(kobo), rate)).toThrow();
});
