import type { Kobo } from "@holo/kernel/money.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toChargeFee, toGrossCharge, toTransferFee } from "./fees.ts";

const kobo = (amount: number): Kobo => BigInt(amount) as Kobo;

it.each([
  [100, 2],
  [249_999, 3_750],
  [250_000, 13_750],
  [500_000, 17_500],
  [3_000_000, 55_000],
  [12_666_600, 199_999],
  [12_666_700, 200_000],
  [100_000_000, 200_000],
])("takes of a charge of %i kobo %i kobo", (paid, fee) => {
  expect(toChargeFee(kobo(paid))).toBe(kobo(fee));
});

it.each([
  [500_000, 1_000],
  [500_001, 2_500],
  [5_000_000, 2_500],
  [5_000_001, 5_000],
])("takes for a transfer of %i kobo %i kobo", (amount, fee) => {
  expect(toTransferFee(kobo(amount))).toBe(kobo(fee));
});

it("leaves the merchant exactly what was asked for where the payer bears the fee", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000_000 }), (asked) => {
      const requested = kobo(asked);
      const paid = toGrossCharge(requested);
      expect(paid - toChargeFee(paid)).toBe(requested);
    }),
  );
});
