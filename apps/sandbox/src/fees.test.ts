import type { Kobo } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { toChargeFee, toCustomerAmount, toTransferFee } from "./fees.ts";

const kobo = (amount: number): Kobo => BigInt(amount) as Kobo;

it.each([
  [100, 2],
  [200_000, 3_000],
  [249_999, 3_750],
  [250_000, 13_750],
  [500_000, 17_500],
  [12_666_600, 199_999],
  [12_666_700, 200_000],
  [100_000_000, 200_000],
])("for a charge of %i kobo is %i kobo", (amount, fee) => {
  expect(toChargeFee(kobo(amount))).toBe(kobo(fee));
});

it.each([
  [100_000, 101_523],
  [500_000, 517_767],
  [5_000_000, 5_086_295],
  [100_000_000, 100_200_000],
])("leaves %i kobo of a customer's %i", (requested, amount) => {
  expect(toCustomerAmount(kobo(requested))).toBe(kobo(amount));
});

it.each([
  [500_000, 1_000],
  [500_001, 2_500],
  [5_000_000, 2_500],
  [5_000_001, 5_000],
])("for a transfer of %i kobo is %i kobo", (amount, fee) => {
  expect(toTransferFee(kobo(amount))).toBe(kobo(fee));
});
