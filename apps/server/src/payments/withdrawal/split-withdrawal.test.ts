import { type Coins, toCoins, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import { toWithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitWithdrawal, TRANSFER_KOBO_MIN } from "./split-withdrawal.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

const RATE = 30_600;
const HELD = { feeKobo: 0n, unplayedCoins: 0n };
const played = (kobo: bigint, rateKobo = RATE) =>
  toWithdrawalTerms(toKobo(kobo), rateKobo, { balance: wholeCoins(1_000_000), unplayed: [] });

test("nothing marked leaves one payment, as it was ordered", () => {
  const { kobo, feeKobo, takenCoins, unplayedCoins } = played(500_000n);
  expect(splitWithdrawal(played(500_000n), RATE, toCoins(0n))).toEqual({
    clean: { kobo, feeKobo, takenCoins, unplayedCoins },
    held: null,
  });
});

test("splits off what is not marked, to the last ₦1.53", () => {
  const { clean, held } = splitWithdrawal(played(25_000_000n), RATE, toCoins(228_758_169n));
  expect(clean).toEqual({ ...HELD, kobo: 17_999_991n, takenCoins: 588_235_000n });
  expect(held).toEqual({ ...HELD, kobo: 7_000_009n, takenCoins: 228_758_464n });
});

test("holds all of it if all, or all but less than the provider sends, is marked", () => {
  const terms = played(500_000n);
  for (const marked of [terms.takenCoins, toCoins(terms.takenCoins - toCoinsOut(toKobo(TRANSFER_KOBO_MIN - 1n), RATE))])
    expect(splitWithdrawal(terms, RATE, marked)).toMatchObject({ clean: null, held: { kobo: 500_000n } });
});

test("holds no less than the provider sends", () => {
  const { clean, held } = splitWithdrawal(played(500_000n), RATE, toCoins(1n));
  expect(held!.kobo).toBeGreaterThanOrEqual(TRANSFER_KOBO_MIN);
  expect(held!.kobo).toBeLessThan(TRANSFER_KOBO_MIN + 153n);
  expect(clean!.kobo + held!.kobo).toBe(500_000n);
});

const order = fc.record({
  kobo: fc.bigInt({ min: 1n, max: 100_000_000n }),
  rateKobo: fc.integer({ min: 100, max: 200_000 }),
  /** Of the coins taken, in thousandths. */
  marked: fc.nat({ max: 1_000 }),
  unplayed: fc.nat({ max: 1_000 }),
});

test("both parts send, cost and take exactly what one payment would, whatever sum and rate", () => {
  fc.assert(
    fc.property(order, ({ kobo, rateKobo, marked, unplayed }) => {
      const [asked, paymentId] = [toKobo(kobo), "p" as never];
      const coins = toCoinsOut(asked, rateKobo);
      fc.pre(coins > 0n);
      const part = (thousandths: number): Coins => toCoins((coins * BigInt(thousandths)) / 1_000n);
      const deposit = {
        paymentId,
        coins: part(unplayed),
        creditedCoins: coins,
        feeKobo: toKobo(kobo / 50n),
        rateKobo,
        isCard: true,
      };
      const terms = toWithdrawalTerms(asked, rateKobo, { balance: coins, unplayed: unplayed === 0 ? [] : [deposit] });
      const { clean, held } = splitWithdrawal(terms, rateKobo, part(marked));
      const parts = [clean, held].filter((one) => one !== null);
      const sum = (pick: (one: (typeof parts)[number]) => bigint) =>
        parts.reduce((total, one) => total + pick(one), 0n);
      expect(sum((one) => one.kobo)).toBe(terms.kobo);
      expect(sum((one) => one.feeKobo)).toBe(terms.feeKobo);
      expect(sum((one) => one.takenCoins)).toBe(coins);
      expect(sum((one) => one.unplayedCoins)).toBe(terms.unplayedCoins);
      for (const one of parts) {
        // What is booked for a payment follows from its kobo and rate alone.
        expect(toCoinsOut(toKobo(one.kobo + one.feeKobo), rateKobo)).toBe(one.takenCoins);
        expect(one.unplayedCoins <= one.takenCoins && one.unplayedCoins >= 0n).toBe(true);
        if (parts.length === 2) expect(one.kobo).toBeGreaterThanOrEqual(TRANSFER_KOBO_MIN);
      }
      if (part(marked) > 0n) expect(held!.takenCoins).toBeGreaterThanOrEqual(part(marked));
      else expect(held).toBeNull();
    }),
    { numRuns: process.env.DEEP ? 100_000 : 2_000 },
  );
});
