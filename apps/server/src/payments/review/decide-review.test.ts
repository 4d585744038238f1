import { toKobo } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { makeProviderCharge, makeTestDeposit } from "../testing/test-reports.ts";
import { toCreditable } from "./decide-review.ts";

test("credits what arrived of another amount less the payer's fee", () => {
  const odd = makeProviderCharge({ amount: 400_000n, fees: 16_000n });
  expect(toCreditable(makeTestDeposit(), odd)).toEqual({ kobo: 400_000n, payerFeeKobo: 0n, providerFeeKobo: 16_000n });
  const payers = makeTestDeposit({ payerFeeKobo: toKobo(17_767n) });
  expect(toCreditable(payers, odd)).toEqual({ kobo: 384_000n, payerFeeKobo: 16_000n, providerFeeKobo: null });
  for (const other of [
    null,
    { ...odd, currency: "USD" },
    { ...odd, status: "failed" as const },
    { ...odd, amount: 0n },
  ]) {
    expect(toCreditable(makeTestDeposit(), other)).toBeNull();
  }
});
