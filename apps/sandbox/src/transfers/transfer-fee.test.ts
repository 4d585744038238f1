import type { Kobo } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { toTransferFee } from "./transfer-fee.ts";

const kobo = (amount: number): Kobo => BigInt(amount) as Kobo;

it.each([
  [500_000, 1_000],
  [500_001, 2_500],
  [5_000_000, 2_500],
  [5_000_001, 5_000],
])("for a transfer of %i kobo is %i kobo", (amount, fee) => {
  expect(toTransferFee(kobo(amount))).toBe(kobo(fee));
});
