import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Coins, type Kobo, toCoins, toCoinsIn, toCoinsOut, toKobo, wholeCoins } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toWithdrawalTerms, type UnplayedDeposit } from "./withdrawal-terms.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const RATE = 30_600;
const naira = (amount: number): Kobo => toKobo(BigInt(amount * 100));

function depositOf(kobo: Kobo, feeKobo: Kobo, leftPercent = 100n, isCard = false): UnplayedDeposit {
  const creditedCoins = toCoinsIn(kobo, RATE);
  const coins = toCoins((creditedCoins * leftPercent) / 100n);
  return { paymentId: "payment-1" as PaymentId, creditedCoins, feeKobo, coins, rateKobo: RATE, isCard };
}

const sum = (unplayed: readonly UnplayedDeposit[]): Coins =>
  unplayed.reduce((total, { coins }) => toCoins(total + coins), toCoins(0n));

describe("the terms of a withdrawal", () => {
  it("take both fees of a deposit that was never staked [VALID-36]", () => {
    const unplayed = [depositOf(naira(5_000), naira(175))];
    expect(toWithdrawalTerms(naira(5_000), RATE, { balance: sum(unplayed), unplayed })).toEqual({
      takenCoins: 16_339_869n,
      unplayedCoins: 16_339_869n,
      cardCoins: 0n,
      depositFeeKobo: naira(175),
      transferFeeKobo: naira(10),
      feeKobo: naira(185),
      feeCoins: 604_575n,
      kobo: naira(4_815),
    });
  });

  it("take no fee from coins that were played", () => {
    const terms = toWithdrawalTerms(naira(20_000), RATE, { balance: wholeCoins(100), unplayed: [] });
    expect(terms).toMatchObject({ feeKobo: 0n, feeCoins: 0n, unplayedCoins: 0n, kobo: naira(20_000) });
  });

  it("let the coins that were played leave first", () => {
    const unplayed = [depositOf(naira(6_120), naira(200))];
    const money = { balance: wholeCoins(40), unplayed };
    expect(toWithdrawalTerms(naira(6_120), RATE, money)).toMatchObject({ unplayedCoins: 0n, feeKobo: 0n });
    // Half of it, so half of both fees: 100 for the deposit, and 25 for a transfer above 5,000.
    expect(toWithdrawalTerms(naira(9_180), RATE, money)).toMatchObject({
      unplayedCoins: wholeCoins(10),
      depositFeeKobo: naira(100),
      transferFeeKobo: 833n,
    });
  });

  it("charge the deposits that brought the coins, the oldest first", () => {
    const unplayed = [depositOf(naira(6_120), naira(192)), depositOf(naira(61_200), naira(1_018))];
    const terms = toWithdrawalTerms(naira(12_240), RATE, { balance: sum(unplayed), unplayed });
    expect(terms.depositFeeKobo).toBe(naira(192) + naira(1_018) / 10n);
  });

  it("never charge more for the transfer than the provider does at a step of its tariff", () => {
    const unplayed = [depositOf(naira(10_000), naira(0))];
    const money = { balance: sum(unplayed), unplayed };
    expect(toWithdrawalTerms(naira(5_012), RATE, money)).toMatchObject({ feeKobo: naira(10), kobo: naira(5_002) });
    expect(toWithdrawalTerms(naira(5_040), RATE, money)).toMatchObject({ feeKobo: naira(25), kobo: naira(5_015) });
  });

  it("waive fees that would leave nothing of the rest of a closing account", () => {
    const unplayed = [depositOf(naira(5_000), naira(175), 1n)];
    const little = { balance: toCoins(20_000n), unplayed: [{ ...unplayed[0]!, coins: toCoins(20_000n) }] };
    expect(toWithdrawalTerms(toKobo(612n), RATE, little)).toMatchObject({ feeKobo: 0n, feeCoins: 0n, kobo: 612n });
  });

  it("add up for every amount, and all parts of a deposit pay no more than its fee", () => {
    const history = fc.array(
      fc.record({ kobo: fc.bigInt(500_000n, 100_000_000n), fee: fc.bigInt(0n, 200_000n), left: fc.bigInt(1n, 100n) }),
      { maxLength: 5 },
    );
    const asks = fc.array(fc.bigInt(1n, 60_000_000n), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        history,
        fc.bigInt(0n, 10n ** 10n),
        asks,
        fc.integer({ min: 1, max: 90_000 }),
        (deposits, played, parts, rate) => {
          let unplayed = deposits.map(({ kobo, fee, left }) => depositOf(toKobo(kobo), toKobo(fee), left));
          let balance = played + sum(unplayed);
          let depositFees = 0n;
          for (const part of parts) {
            const taken = toCoinsOut(toKobo(part), rate);
            if (taken > balance) continue;
            const terms = toWithdrawalTerms(toKobo(part), rate, { balance: toCoins(balance), unplayed });
            expect(terms.kobo + terms.feeKobo).toBe(part);
            expect(terms.kobo).toBeGreaterThan(0n);
            expect(toCoinsOut(terms.kobo, rate) + terms.feeCoins).toBe(terms.takenCoins);
            expect(terms.takenCoins).toBe(taken);
            expect(terms.unplayedCoins).toBeLessThanOrEqual(sum(unplayed));
            if (terms.unplayedCoins === 0n) expect(terms.feeKobo).toBe(0n);
            depositFees += terms.depositFeeKobo;
            balance -= taken;
            unplayed = takeOldest(unplayed, terms.unplayedCoins);
          }
          expect(depositFees).toBeLessThanOrEqual(deposits.reduce((total, { fee }) => total + fee, 0n));
        },
      ),
    );
  });
});

function takeOldest(unplayed: readonly UnplayedDeposit[], coins: bigint): UnplayedDeposit[] {
  let left = coins;
  return unplayed.flatMap((deposit) => {
    const part = deposit.coins < left ? deposit.coins : left;
    left -= part;
    return part === deposit.coins ? [] : [{ ...deposit, coins: toCoins(deposit.coins - part) }];
  });
}
