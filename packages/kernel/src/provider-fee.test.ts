import fc from "fast-check";
import { expect, it } from "vitest";
import type { Kobo } from "./money.ts";
import { toGrossCharge } from "./provider-fee.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const kobo = (amount: number): Kobo => BigInt(amount) as Kobo;

function feeOf(paid: number): number {
  const fee = Math.ceil((paid * 15) / 1_000) + (paid < 250_000 ? 0 : 10_000);
  return Math.min(fee, 200_000);
}

it.each([
  [98, 100],
  [246_249, 249_999],
  [236_250, 239_848],
  [482_500, 500_000],
  [2_945_000, 3_000_000],
  [12_466_700, 12_666_700],
  [99_800_000, 100_000_000],
])("to receive %i kobo the payer pays %i", (requested, paid) => {
  expect(toGrossCharge(kobo(requested))).toBe(kobo(paid));
});

it("leaves the merchant exactly the requested amount where the payer bears the fee", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000_000 }), (requested) => {
      const paid = Number(toGrossCharge(kobo(requested)));
      expect(paid - feeOf(paid)).toBe(requested);
    }),
  );
});
