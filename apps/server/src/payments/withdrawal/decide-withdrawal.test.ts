import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { NOT_FOUND_MS } from "../effect/effect.ts";
import type { WithdrawalMoney } from "../payment.ts";
import type { PaymentStatus } from "../payment-base.ts";
import { type ProviderTransfer, TRANSFER_STATUSES, type TransferStatus } from "../provider/provider-status.ts";
import { makeProviderTransfer, makeTestWithdrawal, NOW, nameOf } from "../testing/test-reports.ts";
import { decideWithdrawal } from "./decide-withdrawal.ts";
import type { Withdrawal } from "./withdrawal.ts";

const decideTransfer = (withdrawal: Withdrawal, transfer: ProviderTransfer | null, now: Instant) =>
  decideWithdrawal(withdrawal, { type: "transfer", transfer }, now);

const decideRefused = (withdrawal: Withdrawal) => decideWithdrawal(withdrawal, { type: "refused" }, NOW);

const ENDED = ["failed", "abandoned", "blocked", "rejected"] as const;
const TRANSFERS: readonly (readonly [WithdrawalMoney, PaymentStatus, TransferStatus | "all ended", string])[] = [
  ["held", "processing", "success", "pay"],
  ["held", "pending", "success", "pay"],
  ["held", "review", "success", "pay"],
  ["held", "processing", "all ended", "return_coins"],
  ["held", "processing", "reversed", "return_coins"],
  ["held", "processing", "otp", "pending"],
  ["held", "processing", "pending", "processing"],
  ["held", "pending", "received", "processing"],
  ["paid", "completed", "success", "completed"],
  ["paid", "completed", "pending", "completed"],
  ["paid", "completed", "reversed", "return_late"],
  ["paid", "completed", "all ended", "return_late"],
  ["returned", "failed", "success", "record_loss"],
  ["returned", "reversed", "reversed", "reversed"],
  ["returned", "failed", "all ended", "failed"],
  ["lost", "review", "success", "review"],
  ["lost", "review", "reversed", "return_late"],
];
test.each(TRANSFERS)("decides on a withdrawal that is %s (%s) after %s: %s", (money, status, told, expected) => {
  for (const word of told === "all ended" ? ENDED : [told]) {
    const effect = decideTransfer(makeTestWithdrawal({ money, status }), makeProviderTransfer({ status: word }), NOW);
    expect(nameOf(effect), word).toBe(expected);
  }
});

test("only asks after an event, and leaves a transfer that differs to staff", () => {
  for (const money of ["held", "paid", "returned", "lost"] satisfies WithdrawalMoney[]) {
    expect(nameOf(decideWithdrawal(makeTestWithdrawal({ money }), { type: "event" }, NOW))).toBe("ask");
  }
  for (const status of TRANSFER_STATUSES) {
    const others: Partial<ProviderTransfer>[] = [{ amount: 499_999n }, { currency: "USD" }, { reference: "wdr-other" }];
    for (const other of others) {
      const effect = decideTransfer(makeTestWithdrawal(), makeProviderTransfer({ status, ...other }), NOW);
      expect(effect).toMatchObject({ type: "set_status", status: "review", alert: "transfer_differs" });
    }
  }
});

test("believes another sum after the end only in naira and under its own reference", () => {
  const returned = makeTestWithdrawal({ money: "returned", status: "failed" });
  const decide = (change: Partial<ProviderTransfer>) =>
    decideTransfer(returned, makeProviderTransfer({ amount: 499_999n, ...change }), NOW);
  expect(decide({})).toEqual({ type: "record_loss", sentKobo: 499_999n });
  for (const other of [
    { currency: "USD" },
    { reference: "wdr-other" },
    { status: "pending" },
    { amount: 0n },
  ] as const) {
    expect(nameOf(decide(other)), JSON.stringify(Object.keys(other))).toBe("failed");
  }
});

test('believes "not found" after ten minutes and sends the same payment again', () => {
  const asked = (notFoundSince: Instant | null) =>
    nameOf(decideTransfer(makeTestWithdrawal({ notFoundSince }), null, NOW));
  expect(asked(null)).toBe("processing");
  expect(asked(addMs(NOW, 1 - NOT_FOUND_MS))).toBe("processing");
  expect(asked(addMs(NOW, -NOT_FOUND_MS))).toBe("send_again");
  const paid = makeTestWithdrawal({ money: "paid", status: "completed", notFoundSince: addMs(NOW, -NOT_FOUND_MS) });
  expect(nameOf(decideTransfer(paid, null, NOW))).toBe("completed");
});

test("returns the coins of a refused order only while they are held", () => {
  expect(nameOf(decideRefused(makeTestWithdrawal()))).toBe("return_coins");
  expect(nameOf(decideRefused(makeTestWithdrawal({ money: "paid", status: "completed" })))).toBe("completed");
});

test('asks again for ten minutes about a transfer that was known and now is "not found"', () => {
  let now = NOW;
  let isOver = false;
  for (let attempts = 0; attempts < 20 && !isOver; attempts += 1) {
    const paid = makeTestWithdrawal({ money: "paid", status: "completed", attempts });
    const effect = decideTransfer(paid, null, now);
    expect(nameOf(effect)).toBe("completed");
    const next = effect.type === "set_status" ? effect.nextAttemptAt : null;
    isOver = next === null;
    now = next ?? now;
  }
  expect(isOver).toBe(true);
  expect(now - NOW).toBeGreaterThan(NOT_FOUND_MS);
});
