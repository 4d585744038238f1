import { addMs, MINUTE_MS } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import type { MoneyState, PaymentStatus } from "../payment.ts";
import { CHARGE_STATUSES, type ProviderCharge } from "../provider/provider-status.ts";
import { NOT_FOUND_MS, toNextAttemptAt, UNPAID_MS } from "../settlement/effect.ts";
import {
  makeHeldWithdrawal,
  makeProviderCharge,
  makeProviderTransfer,
  makeTestPayment,
  NOW,
  nameOf,
} from "../testing/test-reports.ts";
import { decideTransfer } from "../withdrawal/decide-transfer.ts";
import { decideCredited, decideDeposit, decideDispute, decideReturn, toCreditable } from "./decide-deposit.ts";

test.each<[string, Partial<ProviderCharge>, string]>([
  ["the whole amount", {}, "credit"],
  ["the whole amount, with nothing said of what was asked for", { requestedAmount: null }, "credit"],
  ["the payer's own fee beside it", { amount: 517_766n, fees: 17_766n }, "credit"],
  ["a kobo less", { amount: 499_999n }, "review"],
  ["a kobo more", { amount: 500_001n }, "review"],
  ["less, although the whole was asked for", { amount: 499_900n, requestedAmount: 500_000n }, "review"],
  ["the whole, where another sum was asked for", { requestedAmount: 400_000n }, "review"],
  ["a fee that does not explain what is more", { amount: 517_766n, fees: 17_765n }, "review"],
  ["more, and no fee", { amount: 517_766n, fees: null }, "review"],
  ["dollars", { currency: "USD" }, "review"],
  ["naira in other letters", { currency: "ngn" }, "review"],
  ["another reference", { reference: "dep-of-somebody-else" }, "review"],
  ["nothing", { amount: 0n, requestedAmount: 0n }, "review"],
  ["less than nothing", { amount: -500_000n, requestedAmount: -500_000n }, "review"],
])("a success of %s: %s", (_what, change, expected) => {
  expect(nameOf(decideDeposit(makeTestPayment(), makeProviderCharge(change), "answer", NOW))).toBe(expected);
});

test("the fee is the platform's where the payer paid the sum alone, and nobody's here where they bore it", () => {
  const paid = decideDeposit(makeTestPayment(), makeProviderCharge(), "answer", NOW);
  expect(paid).toEqual({ type: "credit", providerFeeKobo: 17_500n, reason: null });
  const borne = makeProviderCharge({ amount: 517_766n, fees: 17_766n });
  expect(decideDeposit(makeTestPayment(), borne, "answer", NOW)).toEqual({
    type: "credit",
    providerFeeKobo: null,
    reason: null,
  });
});

test("a payer who was to bear the fee has paid it beside the amount, and what is above it is the platform's", () => {
  const payment = makeTestPayment({ payerFeeKobo: toKobo(17_767n) });
  const whole = { amount: 517_767n, requestedAmount: 517_767n };
  const decide = (charge: Partial<ProviderCharge>) => decideDeposit(payment, makeProviderCharge(charge), "answer", NOW);
  expect(decide({ ...whole, fees: 17_767n })).toEqual({ type: "credit", providerFeeKobo: null, reason: null });
  expect(decide({ ...whole, fees: 17_000n })).toEqual({ type: "credit", providerFeeKobo: null, reason: null });
  expect(decide({ ...whole, fees: 20_193n })).toEqual({ type: "credit", providerFeeKobo: 2_426n, reason: null });
  expect(nameOf(decide({ amount: 500_000n, requestedAmount: 500_000n }))).toBe("review");
  expect(nameOf(decide({ amount: 517_767n, requestedAmount: 500_000n, fees: 17_767n }))).toBe("review");
});

test("what has arrived of a deposit that differs is less by the fee where that was the payer's", () => {
  const odd = makeProviderCharge({ amount: 400_000n, fees: 16_000n });
  expect(toCreditable(makeTestPayment(), odd)).toEqual({ kobo: 400_000n, payerFeeKobo: 0n, providerFeeKobo: 16_000n });
  const payers = makeTestPayment({ payerFeeKobo: toKobo(17_767n) });
  expect(toCreditable(payers, odd)).toEqual({ kobo: 384_000n, payerFeeKobo: 16_000n, providerFeeKobo: null });
  for (const other of [
    null,
    { ...odd, currency: "USD" },
    { ...odd, status: "failed" as const },
    { ...odd, amount: 0n },
  ]) {
    expect(toCreditable(makeTestPayment(), other)).toBeNull();
  }
});

const OPEN: readonly (readonly [PaymentStatus, number])[] = [
  ["pending", MINUTE_MS],
  ["failed", MINUTE_MS],
  ["abandoned", UNPAID_MS + MINUTE_MS],
];
test.each(OPEN)("a deposit told %s is credited all the same when its success comes", (status, ageMs) => {
  const payment = makeTestPayment({ status, createdAt: addMs(NOW, -ageMs) });
  expect(nameOf(decideDeposit(payment, makeProviderCharge(), "answer", NOW))).toBe("credit");
});

test.each(CHARGE_STATUSES)("%s of a deposit that is credited, taken back or under review credits nothing", (status) => {
  for (const money of ["credited", "taken_back", "none"] satisfies MoneyState[]) {
    const payment = makeTestPayment({ money, status: money === "none" ? "review" : "completed" });
    expect(nameOf(decideDeposit(payment, makeProviderCharge({ status }), "answer", NOW))).not.toBe("credit");
  }
});

test("an unpaid deposit stays open for a day, whatever the provider calls it, and its last word counts", () => {
  const abandoned = makeProviderCharge({ status: "abandoned" });
  const next = toNextAttemptAt({ kind: "deposit", attempts: 0 }, NOW);
  expect(decideDeposit(makeTestPayment(), abandoned, "answer", NOW)).toMatchObject({
    status: "pending",
    nextAttemptAt: next,
  });
  expect(decideReturn(makeTestPayment(), abandoned, NOW)).toMatchObject({ status: "abandoned", nextAttemptAt: next });
  const old = makeTestPayment({ createdAt: addMs(NOW, -UNPAID_MS) });
  expect(decideDeposit(old, abandoned, "answer", NOW)).toMatchObject({ status: "abandoned", nextAttemptAt: null });
  expect(decideDeposit(old, null, "answer", NOW)).toMatchObject({ status: "failed", nextAttemptAt: null });
  expect(decideDeposit(old, makeProviderCharge({ status: "ongoing" }), "answer", NOW)).toMatchObject({
    status: "pending",
  });
});

test("a deposit without a checkout, unknown to the provider, is given up after ten minutes", () => {
  const payment = makeTestPayment({ authorizationUrl: null });
  expect(nameOf(decideDeposit(payment, null, "answer", NOW))).toBe("pending");
  expect(nameOf(decideDeposit(payment, null, "answer", addMs(NOW, NOT_FOUND_MS)))).toBe("failed");
});

test("a webhook that tells of a charge taken back makes us ask, whatever there is of it", () => {
  const word = makeProviderCharge({ status: "reversed" });
  const refunded = { status: "reversed", sentAt: NOW } as const;
  for (const change of [{}, { status: "review" }, refunded, { money: "credited" }, { money: "restored" }] as const) {
    expect(nameOf(decideDeposit(makeTestPayment(change), word, "webhook", NOW))).toBe("ask");
  }
  expect(nameOf(decideDeposit(makeTestPayment({ money: "credited" }), word, "answer", NOW))).toBe("take_back");
});

test("a dispute of what was credited stops it; its end lets it go or asks whether it is gone", () => {
  const credited = makeTestPayment({ money: "credited", status: "completed" });
  expect(nameOf(decideDispute(credited, null, NOW))).toBe("review");
  expect(nameOf(decideDispute(credited, true, NOW))).toBe("completed");
  expect(nameOf(decideDispute(credited, false, NOW))).toBe("ask");
  expect(nameOf(decideDispute(makeTestPayment(), null, NOW))).toBe("pending");
});

test("what was taken back comes back once its dispute is won and the provider says that it has the money", () => {
  const taken = makeTestPayment({ money: "taken_back", status: "reversed" });
  expect(nameOf(decideDeposit(taken, makeProviderCharge({ status: "success" }), "answer", NOW))).toBe("reversed");
  expect(nameOf(decideDispute(taken, false, NOW))).toBe("reversed");
  expect(decideDispute(taken, true, NOW)).toMatchObject({ status: "review", nextAttemptAt: NOW });
  const won = { ...taken, status: "review" } as const;
  expect(nameOf(decideDeposit(won, makeProviderCharge({ status: "success" }), "answer", NOW))).toBe("restore");
  expect(nameOf(decideDeposit(won, makeProviderCharge({ status: "success" }), "webhook", NOW))).toBe("review");
  expect(nameOf(decideDeposit(won, makeProviderCharge({ status: "reversed" }), "answer", NOW))).toBe("review");
  const other = makeProviderCharge({ status: "success", amount: 400_000n });
  expect(nameOf(decideDeposit(won, other, "answer", NOW))).toBe("review");
  const restored = { ...taken, money: "restored", status: "completed" } as const;
  expect(nameOf(decideDeposit(restored, makeProviderCharge({ status: "success" }), "answer", NOW))).toBe("completed");
  const again = decideDeposit(restored, makeProviderCharge({ status: "reversed" }), "answer", NOW);
  expect(again).toMatchObject({ type: "gone", kobo: 500_000n, status: "review", alert: "deposit_reversed_again" });
  const known = makeTestPayment({ ...restored, status: "review", refundedKobo: toKobo(500_000n) });
  expect(nameOf(decideDeposit(known, makeProviderCharge({ status: "reversed" }), "answer", NOW))).toBe("review");
});

test("what was refunded of a credited deposit is gone by the provider's list, and all of it once the charge is called so", () => {
  const credited = makeTestPayment({ money: "credited", status: "completed", completedAt: NOW });
  const part = { status: "processed", amount: 100_000n } as const;
  const charge = makeProviderCharge({ status: "success" });
  expect(decideCredited(credited, charge, [part, { ...part, status: "open" }], NOW)).toMatchObject({
    type: "gone",
    kobo: 100_000n,
    status: "completed",
    alert: "deposit_refunded",
  });
  const known = { ...credited, refundedKobo: toKobo(100_000n) };
  expect(nameOf(decideCredited(known, charge, [part], NOW))).toBe("completed");
  const whole = [{ ...part, amount: 500_000n }];
  expect(decideCredited(credited, charge, whole, NOW)).toMatchObject({
    type: "tell",
    nextAttemptAt: expect.any(Number),
  });
  const reversed = makeProviderCharge({ status: "reversed" });
  expect(nameOf(decideCredited(credited, reversed, whole, NOW))).toBe("take_back");
  const booked = { ...known, allocatedKobo: toKobo(100_000n) };
  expect(decideCredited(booked, reversed, whole, NOW)).toMatchObject({
    type: "gone",
    kobo: 500_000n,
    status: "review",
  });
  expect(nameOf(decideDispute({ ...booked, refundedKobo: toKobo(200_000n) }, true, NOW))).toBe("review");
  expect(nameOf(decideDispute(booked, true, NOW))).toBe("completed");
});

test("a webhook that says nothing new leaves a question that another one has put", () => {
  const credited = makeTestPayment({ money: "credited", status: "completed" });
  expect(decideDeposit(credited, makeProviderCharge(), "webhook", NOW)).toMatchObject({ nextAttemptAt: NOW });
  expect(decideDeposit(credited, makeProviderCharge(), "answer", NOW)).toMatchObject({ nextAttemptAt: null });
  const paid = makeHeldWithdrawal({ money: "paid", status: "completed" });
  expect(decideTransfer(paid, makeProviderTransfer(), "webhook", NOW)).toMatchObject({ nextAttemptAt: NOW });
  expect(decideTransfer(paid, makeProviderTransfer(), "answer", NOW)).toMatchObject({ nextAttemptAt: null });
});
