import fc from "fast-check";
import { expect, test } from "vitest";
import { COINS_MAX, KOBO_MAX, toCoins, toCoinsIn, toCoinsOut, toKobo, toKoboOut } from "./money.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const kobo = fc.bigInt({ min: 0n, max: KOBO_MAX }).map(toKobo);
/** From ₦0.50 a coin, so that the largest amount fits into coins, to ₦10,000,000. */
const rate = fc.oneof(fc.constant(30_600), fc.integer({ min: 50, max: 1_000_000_000 }));

test("lets a deposit be withdrawn again at its rate, with less than two micro-holocoins left", () => {
  fc.assert(
    fc.property(kobo, rate, (amount, rateKobo) => {
      const left = toCoinsIn(amount, rateKobo) - toCoinsOut(amount, rateKobo);
      expect(left === 0n || left === 1n).toBe(true);
    }),
  );
});

test("rounds a deposit up and a withdrawal down, each within a micro-holocoin", () => {
  fc.assert(
    fc.property(kobo, rate, (amount, rateKobo) => {
      const exact = amount * 1_000_000n;
      const given = toCoinsIn(amount, rateKobo) * BigInt(rateKobo);
      const taken = toCoinsOut(amount, rateKobo) * BigInt(rateKobo);
      expect(given >= exact && given < exact + BigInt(rateKobo)).toBe(true);
      expect(taken <= exact && taken > exact - BigInt(rateKobo)).toBe(true);
    }),
  );
});

test("gives bounded, monotonic, non-negative coins", () => {
  fc.assert(
    fc.property(kobo, kobo, rate, (a, b, rateKobo) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(toCoinsOut(less, rateKobo) >= 0n && toCoinsIn(more, rateKobo) <= COINS_MAX).toBe(true);
      expect(toCoinsIn(less, rateKobo) <= toCoinsIn(more, rateKobo)).toBe(true);
      expect(toCoinsOut(less, rateKobo) <= toCoinsOut(more, rateKobo)).toBe(true);
    }),
  );
});

test("covers a deposit's withdrawals in parts, with at most a micro-holocoin left for each and one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: 20 }),
      rate,
      (parts, at) => {
        const whole = toCoinsIn(toKobo(parts.reduce((sum, part) => sum + part, 0n)), at);
        const taken = parts.reduce((sum, part) => sum + toCoinsOut(toKobo(part), at), 0n);
        expect(taken <= whole && whole - taken <= BigInt(parts.length) + 1n).toBe(true);
      },
    ),
  );
});

test("finds the largest withdrawal that the coins cover", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 3_000_000_000_000n }).map(toCoins), rate, (coins, rateKobo) => {
      const most = toKoboOut(coins, rateKobo);
      expect(toCoinsOut(most, rateKobo) <= coins).toBe(true);
      if (most < KOBO_MAX) expect(toCoinsOut(toKobo(most + 1n), rateKobo) > coins).toBe(true);
    }),
  );
});
