import { addMs, DAY_MS, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { type DepositEffect, NOT_FOUND_MS, toNextAttemptAt, UNPAID_MS } from "../effect/effect.ts";
import type { PaymentStatus } from "../payment-base.ts";
import { CHARGE_STATUSES, type ProviderCharge, type ProviderRefund } from "../provider/provider-status.ts";
import { makeContext, makeProviderCharge, makeTestDeposit, NOW, nameOf } from "../testing/test-reports.ts";
import { type DepositContext, decideDeposit } from "./decide-deposit.ts";
import type { Deposit } from "./deposit.ts";

const decideCharge = (deposit: Deposit, charge: ProviderCharge | null, now: Instant = NOW): DepositEffect =>
  decideDeposit(deposit, { type: "charge", charge }, makeContext({ now }));

const decideWithRefunds = (deposit: Deposit, charge: ProviderCharge, refunds: readonly ProviderRefund[]) =>
  decideDeposit(deposit, { type: "charge", charge, refunds }, makeContext());

const decideReturn = (deposit: Deposit, charge: ProviderCharge) =>
  decideDeposit(deposit, { type: "player_returned", charge }, makeContext());

const decideDispute = (deposit: Deposit, isDeclined: boolean | null, change: Partial<DepositContext> = {}) =>
  decideDeposit(deposit, { type: "dispute", isDeclined }, makeContext(change));

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
])("decides on a success of %s: %s", (_what, change, expected) => {
  expect(nameOf(decideCharge(makeTestDeposit(), makeProviderCharge(change)))).toBe(expected);
});

test("charges the fee to the platform where the payer paid the amount only", () => {
  const paid = decideCharge(makeTestDeposit(), makeProviderCharge());
  expect(paid).toMatchObject({ type: "credit", providerFeeKobo: 17_500n, reason: null, isDisputed: false });
  const borne = makeProviderCharge({ amount: 517_766n, fees: 17_766n });
  expect(decideCharge(makeTestDeposit(), borne)).toMatchObject({
    type: "credit",
    providerFeeKobo: null,
    reason: null,
    isDisputed: false,
  });
});

test("charges the platform only with what exceeds the payer's fee", () => {
  const payment = makeTestDeposit({ payerFeeKobo: toKobo(17_767n) });
  const whole = { amount: 517_767n, requestedAmount: 517_767n };
  const decide = (charge: Partial<ProviderCharge>) => decideCharge(payment, makeProviderCharge(charge));
  expect(decide({ ...whole, fees: 17_767n })).toMatchObject({
    type: "credit",
    providerFeeKobo: null,
    reason: null,
    isDisputed: false,
  });
  expect(decide({ ...whole, fees: 17_000n })).toMatchObject({
    type: "credit",
    providerFeeKobo: null,
    reason: null,
    isDisputed: false,
  });
  expect(decide({ ...whole, fees: 20_193n })).toMatchObject({
    type: "credit",
    providerFeeKobo: 2_426n,
    reason: null,
    isDisputed: false,
  });
  expect(nameOf(decide({ amount: 500_000n, requestedAmount: 500_000n }))).toBe("review");
  expect(nameOf(decide({ amount: 517_767n, requestedAmount: 500_000n, fees: 17_767n }))).toBe("review");
});

const OPEN: readonly (readonly [PaymentStatus, number])[] = [
  ["pending", MINUTE_MS],
  ["failed", MINUTE_MS],
  ["abandoned", UNPAID_MS + MINUTE_MS],
];
test.each(OPEN)("credits a deposit that was reported %s after a later success", (status, ageMs) => {
  const payment = makeTestDeposit({ status, createdAt: addMs(NOW, -ageMs) });
  expect(nameOf(decideCharge(payment, makeProviderCharge()))).toBe("credit");
});

test.each(CHARGE_STATUSES)(
  "credits nothing for %s where the deposit is credited, taken back or in review",
  (status) => {
    for (const money of ["credited", "taken_back", "none"] as const) {
      const payment = makeTestDeposit({ money, status: money === "none" ? "review" : "completed" });
      expect(nameOf(decideCharge(payment, makeProviderCharge({ status })))).not.toBe("credit");
    }
  },
);

test("keeps an unpaid deposit open for a day with any status of the charge", () => {
  const abandoned = makeProviderCharge({ status: "abandoned" });
  const next = toNextAttemptAt({ kind: "deposit", attempts: 0 }, NOW);
  expect(decideCharge(makeTestDeposit(), abandoned)).toMatchObject({
    status: "pending",
    nextAttemptAt: next,
  });
  expect(decideReturn(makeTestDeposit(), abandoned)).toMatchObject({ status: "abandoned", nextAttemptAt: next });
  const old = makeTestDeposit({ createdAt: addMs(NOW, -UNPAID_MS) });
  expect(decideCharge(old, abandoned)).toMatchObject({ status: "abandoned", nextAttemptAt: null });
  expect(decideCharge(old, null)).toMatchObject({ status: "failed", nextAttemptAt: null });
  expect(decideCharge(old, makeProviderCharge({ status: "ongoing" }))).toMatchObject({
    status: "pending",
  });
});

test("gives up an unknown deposit without a checkout after ten minutes", () => {
  const payment = makeTestDeposit({ authorizationUrl: null });
  expect(nameOf(decideCharge(payment, null))).toBe("pending");
  expect(nameOf(decideCharge(payment, null, addMs(NOW, NOT_FOUND_MS)))).toBe("failed");
});

test("only asks after an event in every state", () => {
  const refunded = { status: "reversed", sentAt: NOW } as const;
  for (const change of [{}, { status: "review" }, refunded, { money: "credited" }, { money: "restored" }] as const) {
    expect(nameOf(decideDeposit(makeTestDeposit(change), { type: "event" }, makeContext()))).toBe("ask");
  }
});

test("blocks a disputed deposit, and releases it or asks after the dispute", () => {
  const credited = makeTestDeposit({ money: "credited", status: "completed" });
  expect(nameOf(decideDispute(credited, null))).toBe("review");
  expect(nameOf(decideDispute(credited, true))).toBe("completed");
  expect(decideDispute(credited, false)).toMatchObject({ status: "review", nextAttemptAt: NOW });
  expect(nameOf(decideDispute(makeTestDeposit(), null))).toBe("pending");
  const disputed = makeTestDeposit({ money: "credited", status: "review", reason: "disputed" });
  expect(nameOf(decideDispute(disputed, false))).toBe("ask");
  expect(nameOf(decideDispute(disputed, true, { disputeLostAt: NOW }))).toBe("ask");
  expect(decideDispute(disputed, true, { hasOpenDispute: true })).toMatchObject({
    status: "review",
    reason: { code: "disputed" },
  });
});

test("restores a reversed deposit after a won dispute once the provider has the money again", () => {
  const takenState = { money: "taken_back", status: "reversed" } as const;
  const taken = makeTestDeposit(takenState);
  const success = makeProviderCharge({ status: "success" });
  const reversal = makeProviderCharge({ status: "reversed" });
  expect(nameOf(decideCharge(taken, success))).toBe("reversed");
  expect(nameOf(decideDispute(taken, false))).toBe("ask");
  expect(decideDispute(taken, true)).toMatchObject({ status: "review", nextAttemptAt: NOW });
  const won = makeTestDeposit({ ...takenState, status: "review" });
  expect(nameOf(decideCharge(won, success))).toBe("restore");
  expect(nameOf(decidePaid(won, { hasOpenDispute: true }))).toBe("review");
  expect(nameOf(decideDispute(won, false, { hasOpenDispute: true }))).toBe("ask");
  expect(nameOf(decideDispute(won, false))).toBe("reversed");
  expect(nameOf(decideCharge(won, reversal))).toBe("review");
  expect(nameOf(decideCharge(won, makeProviderCharge({ status: "success", amount: 400_000n })))).toBe("review");
  const restored = makeTestDeposit({ money: "restored", status: "completed" });
  expect(nameOf(decideCharge(restored, success))).toBe("completed");
  expect(decideCharge(restored, reversal)).toMatchObject({
    type: "record_refund",
    kobo: 500_000n,
    status: "review",
    alert: "deposit_reversed_again",
  });
  const known = makeTestDeposit({ money: "restored", status: "review", refundedKobo: toKobo(500_000n) });
  expect(nameOf(decideCharge(known, reversal))).toBe("review");
});

test("returns an uncredited deposit to review once the provider has its money again", () => {
  const reversed = makeTestDeposit({ status: "reversed" });
  expect(nameOf(decideDispute(reversed, true))).toBe("ask");
  expect(nameOf(decideDispute(reversed, null))).toBe("reversed");
  const success = makeProviderCharge({ status: "success" });
  const given = { status: "review", alert: "deposit_given_back" };
  expect(decideCharge(reversed, success)).toMatchObject({ ...given, reason: { code: "under_review" } });
  expect(decideCharge(reversed, { ...success, amount: 400_000n })).toMatchObject({
    ...given,
    reason: { code: "amount_differs" },
  });
  expect(nameOf(decideCharge(reversed, makeProviderCharge({ status: "reversed" })))).toBe("reversed");
  const refunded = makeTestDeposit({ status: "reversed", sentAt: NOW, completedAt: NOW });
  expect(nameOf(decideCharge(refunded, success))).toBe("reversed");
  expect(nameOf(decideDispute(refunded, true))).toBe("reversed");
});

test("polls after a lost dispute until the charge is reversed, and alerts staff once after two weeks", () => {
  const held = makeTestDeposit({ status: "review", reason: "amount_differs" });
  const disputed = makeTestDeposit({ money: "credited", status: "review", reason: "disputed" });
  const restored = makeTestDeposit({ money: "restored", status: "review", reason: "disputed" });
  for (const deposit of [held, disputed, restored]) {
    const { reason } = deposit;
    const disputeLostAt = addMs(NOW, 1 - 14 * DAY_MS);
    const polled = { status: "review", nextAttemptAt: toNextAttemptAt(deposit, NOW) };
    expect(decidePaid(deposit, { disputeLostAt })).toMatchObject({ ...polled, reason, alert: null });
    expect(decidePaid(deposit, { disputeLostAt: addMs(NOW, -14 * DAY_MS) })).toMatchObject({
      ...polled,
      reason: { code: "under_review" },
      alert: "dispute_uncollected",
    });
  }
  expect(decidePaid(held, {})).toMatchObject({ status: "review", nextAttemptAt: null });
});

test("takes back what the provider refunded of a credited deposit, once", () => {
  const state = { money: "credited", status: "completed", completedAt: NOW } as const;
  const credited = makeTestDeposit(state);
  const part = { status: "processed", amount: 100_000n } as const;
  const charge = makeProviderCharge({ status: "success" });
  const reversed = makeProviderCharge({ status: "reversed" });
  expect(decideWithRefunds(credited, charge, [part, { ...part, status: "open" }])).toEqual({
    type: "take_part",
    refundedKobo: 100_000n,
  });
  const refundedKobo = toKobo(100_000n);
  expect(nameOf(decideWithRefunds(makeTestDeposit({ ...state, refundedKobo }), charge, [part]))).toBe("completed");
  const whole = [{ ...part, amount: 500_000n }];
  expect(nameOf(decideWithRefunds(credited, charge, whole))).toBe("take_back");
  expect(nameOf(decideWithRefunds(credited, reversed, whole))).toBe("take_back");
  const borne = makeProviderCharge({ amount: 517_767n, requestedAmount: 517_767n });
  expect(decideWithRefunds(credited, borne, whole)).toEqual({ type: "take_part", refundedKobo: 500_000n });
  expect(decideWithRefunds(credited, borne, [{ ...part, amount: 517_766n }])).toEqual({
    type: "take_part",
    refundedKobo: 500_000n,
  });
  expect(nameOf(decideWithRefunds(credited, borne, [{ ...part, amount: 517_767n }]))).toBe("take_back");
  const allocated = makeTestDeposit({ ...state, refundedKobo, allocatedKobo: refundedKobo });
  expect(decideWithRefunds(allocated, reversed, whole)).toEqual({ type: "take_part", refundedKobo: 500_000n });
  const report = { type: "charge", charge: reversed } as const;
  expect(decideDeposit(allocated, report, makeContext({ hasOpenDispute: true }))).toMatchObject({
    type: "record_refund",
    kobo: 500_000n,
    status: "review",
  });
  expect(decideWithRefunds(makeTestDeposit(), charge, [part])).toMatchObject({ type: "credit", isAskedAgain: true });
  expect(decideWithRefunds(makeTestDeposit(), charge, [])).toMatchObject({ type: "credit", isAskedAgain: false });
  expect(nameOf(decideDispute(allocated, true))).toBe("completed");
  const pending = makeTestDeposit({ ...state, refundedKobo: toKobo(200_000n), allocatedKobo: refundedKobo });
  expect(nameOf(decideDispute(pending, true))).toBe("review");
});

const decidePaid = (deposit: Deposit, change: Partial<DepositContext>): DepositEffect =>
  decideDeposit(deposit, { type: "charge", charge: makeProviderCharge() }, makeContext(change));

test.each<[string, Partial<DepositContext>, object]>([
  ["no exception", {}, { type: "credit", isDisputed: false }],
  ["an open dispute", { hasOpenDispute: true }, { type: "credit", isDisputed: true }],
  ["a lost dispute", { disputeLostAt: NOW }, { type: "credit", isDisputed: true }],
  [
    "a restriction and a lost dispute",
    { isRestricted: true, disputeLostAt: NOW },
    { status: "review", nextAttemptAt: toNextAttemptAt({ kind: "deposit", attempts: 0 }, NOW) },
  ],
  ["a deleted account", { isAccountDeleted: true }, { status: "review", alert: "deposit_after_leaving" }],
  [
    "a restriction",
    { isRestricted: true, isAboveLimit: true },
    { type: "start_refund", reason: { code: "restricted_refunding" } },
  ],
  [
    "a restriction and a dispute",
    { isRestricted: true, hasOpenDispute: true },
    { status: "review", alert: "deposit_while_restricted" },
  ],
  ["a deposit limit", { isAboveLimit: true }, { type: "start_refund", reason: { code: "above_limit_refunding" } }],
  [
    "a deposit limit and a dispute",
    { isAboveLimit: true, hasOpenDispute: true },
    { status: "review", alert: "deposit_beyond_limit" },
  ],
])("decides on an exact payment with %s", (_exception, context, expected) => {
  expect(decidePaid(makeTestDeposit(), context)).toMatchObject(expected);
});

test("gives a payment after 30 minutes the rate of its moment, also if its report comes a day later", () => {
  const createdAt = addMs(NOW, -DAY_MS);
  const old = makeTestDeposit({ createdAt });
  const inTime = { paidAt: addMs(createdAt, 30 * MINUTE_MS), rateAtPaymentKobo: 30_601 };
  expect(decidePaid(old, inTime)).toMatchObject({ type: "credit", rateKobo: 30_600, reason: null });
  const late = { ...inTime, paidAt: addMs(inTime.paidAt, 1) };
  expect(decidePaid(old, late)).toMatchObject({
    rateKobo: 30_601,
    reason: { code: "rate_fewer_coins", kobo: 30_601n },
  });
  expect(decidePaid(old, { ...late, rateAtPaymentKobo: 30_599 })).toMatchObject({
    reason: { code: "rate_more_coins" },
  });
});

test("holds a restored deposit of a deleted account", () => {
  const won = makeTestDeposit({ money: "taken_back", status: "review" });
  expect(decidePaid(won, { isAccountDeleted: true })).toMatchObject({
    status: "review",
    alert: "deposit_after_leaving",
  });
});
