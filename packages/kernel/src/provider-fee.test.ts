import fc from "fast-check";
import { expect, it } from "vitest";
import type { Kobo } from "./money.ts";
import { toChargeFee, toGrossCharge } from "./provider-fee.ts";

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
])("for a charge of %i kobo is %i kobo", (paid, fee) => {
  expect(toChargeFee(kobo(paid))).toBe(kobo(fee));
});

it("leaves the merchant exactly the requested amount where the payer bears the fee", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000_000 }), (asked) => {
      const requested = kobo(asked);
      const paid = toGrossCharge(requested);
      expect(paid - toChargeFee(paid)).toBe(requested);
    }),
  );
});
