import { toKobo } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { makeProviderCharge, makeTestDeposit } from "../testing/test-reports.ts";
import { findDifference } from "./compare-payment.ts";

test("reports money that the provider has of a reversed deposit", () => {
  const reversed = makeTestDeposit({ status: "reversed" });
  const { reference } = reversed;
  expect(findDifference(reversed, { type: "charge", item: makeProviderCharge() })).toEqual({
    type: "kept_charge",
    reference,
    kobo: "500000",
  });
  expect(findDifference(reversed, { type: "charge", item: makeProviderCharge({ status: "reversed" }) })).toBeNull();
});

test("expects the provider to keep only the payer's fee of an allocated deposit", () => {
  const kobo = toKobo(500_000n);
  const allocated = makeTestDeposit({
    money: "credited",
    status: "completed",
    refundedKobo: kobo,
    allocatedKobo: kobo,
  });
  const whole = makeProviderCharge();
  expect(findDifference(allocated, { type: "charge", item: whole })).toMatchObject({ type: "kept_charge" });
  const borne = makeProviderCharge({ amount: 517_767n });
  expect(findDifference(allocated, { type: "charge", item: borne })).toBeNull();
});
