import { expect, test } from "vitest";
import { awaitsComparison } from "./payment-judge.ts";

type Money = Parameters<typeof awaitsComparison>[0];

/** A withdrawal that is completed here and was reversed at the provider. */
function makeMoney(webhook: object): Money {
  const reference = "wdr-1";
  const payment = { kind: "withdrawal", status: "completed", reference, kobo: 1n, feeKobo: 0n, rateKobo: 1n, net: -1n };
  const transfers = [{ reference, status: "reversed", amount: 1 }];
  const webhooks = [{ reference, event: "transfer.reversed", status: "delivered", attempts: [], ...webhook }];
  return { payments: [payment], provider: { transactions: [], disputes: [], transfers, webhooks } } as unknown as Money;
}

test("a reversal whose webhook was lost awaits the daily comparison", () => {
  expect(awaitsComparison(makeMoney({ status: "lost" }))).toBe(true);
});

test("a reversal whose webhook was untrue awaits the daily comparison", () => {
  expect(awaitsComparison(makeMoney({ attempts: [{ at: 1, answer: 200, fault: "wrong_status" }] }))).toBe(true);
});

test("a reversal that was reported awaits nothing", () => {
  expect(awaitsComparison(makeMoney({}))).toBe(false);
});
