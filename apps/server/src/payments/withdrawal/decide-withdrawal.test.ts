import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import type { WithdrawalMoney } from "../payment.ts";
import type { PaymentStatus } from "../payment-base.ts";
import { type ProviderTransfer, TRANSFER_STATUSES, type TransferStatus } from "../provider/provider-status.ts";
import { NOT_FOUND_MS, type ReportSource } from "../settlement/effect.ts";
import { makeProviderTransfer, makeTestWithdrawal, NOW, nameOf } from "../testing/test-reports.ts";
import { decideWithdrawal } from "./decide-withdrawal.ts";
import type { Withdrawal } from "./withdrawal.ts";

const decideTransfer = (
  withdrawal: Withdrawal,
  transfer: ProviderTransfer | null,
  source: ReportSource,
  now: Instant,
) => decideWithdrawal(withdrawal, { type: "transfer", transfer, source }, now);

const decideRefused = (withdrawal: Withdrawal) => decideWithdrawal(withdrawal, { type: "refused" }, NOW);

const ENDED = ["failed", "abandoned", "blocked", "rejected"] as const;
const TRANSFERS: readonly (readonly [
  WithdrawalMoney,
  PaymentStatus,
  TransferStatus | "all ended",
  ReportSource,
  string,
])[] = [
  ["held", "processing", "success", "answer", "pay"],
  ["held", "processing", "success", "webhook", "pay"],
  ["held", "pending", "success", "answer", "pay"],
  ["held", "review", "success", "answer", "pay"],
  ["held", "processing", "all ended", "answer", "return_coins"],
  ["held", "processing", "all ended", "webhook", "ask"],
  ["held", "processing", "reversed", "answer", "return_coins"],
  ["held", "processing", "reversed", "webhook", "ask"],
  ["held", "processing", "otp", "answer", "pending"],
  ["held", "processing", "pending", "answer", "processing"],
  ["held", "pending", "received", "answer", "processing"],
  ["paid", "completed", "success", "answer", "completed"],
  ["paid", "completed", "reversed", "answer", "return_late"],
  ["paid", "completed", "reversed", "webhook", "ask"],
  ["paid", "completed", "all ended", "answer", "return_late"],
  ["paid", "completed", "pending", "webhook", "completed"],
  ["returned", "failed", "success", "answer", "record_loss"],
  ["returned", "failed", "success", "webhook", "ask"],
  ["returned", "failed", "all ended", "webhook", "failed"],
  ["returned", "reversed", "reversed", "answer", "reversed"],
  ["lost", "review", "success", "webhook", "review"],
  ["lost", "review", "success", "answer", "review"],
  ["lost", "review", "reversed", "answer", "return_late"],
];
test.each(TRANSFERS)(
  "decides on a withdrawal that is %s (%s) after %s by %s: %s",
  (money, status, told, source, expected) => {
    for (const word of told === "all ended" ? ENDED : [told]) {
      const effect = decideTransfer(
        makeTestWithdrawal({ money, status }),
        makeProviderTransfer({ status: word }),
        source,
        NOW,
      );
      expect(nameOf(effect), word).toBe(expected);
    }
  },
);

test("never returns coins after a webhook or an inconclusive status", () => {
  for (const status of TRANSFER_STATUSES) {
    for (const money of ["held", "paid", "returned", "lost"] satisfies WithdrawalMoney[]) {
      const effect = decideTransfer(makeTestWithdrawal({ money }), makeProviderTransfer({ status }), "webhook", NOW);
      expect(["return_coins", "return_late", "record_loss"]).not.toContain(effect.type);
    }
    const others: Partial<ProviderTransfer>[] = [{ amount: 499_999n }, { currency: "USD" }, { reference: "wdr-other" }];
    for (const other of others) {
      const effect = decideTransfer(makeTestWithdrawal(), makeProviderTransfer({ status, ...other }), "answer", NOW);
      expect(effect).toMatchObject({ type: "set_status", status: "review", alert: "transfer_differs" });
    }
  }
});

test("believes another sum after the end only from an answer, in naira and under its own reference", () => {
  const returned = makeTestWithdrawal({ money: "returned", status: "failed" });
  const decide = (change: Partial<ProviderTransfer>, source: ReportSource) =>
    decideTransfer(returned, makeProviderTransfer({ amount: 499_999n, ...change }), source, NOW);
  expect(decide({}, "answer")).toEqual({ type: "record_loss", sentKobo: 499_999n });
  expect(nameOf(decide({}, "webhook"))).toBe("ask");
  for (const other of [
    { currency: "USD" },
    { reference: "wdr-other" },
    { status: "pending" },
    { amount: 0n },
  ] as const) {
    expect(nameOf(decide(other, "answer")), JSON.stringify(Object.keys(other))).toBe("failed");
  }
});

test('believes "not found" after ten minutes and sends the same payment again', () => {
  const asked = (notFoundSince: Instant | null) =>
    nameOf(decideTransfer(makeTestWithdrawal({ notFoundSince }), null, "answer", NOW));
  expect(asked(null)).toBe("processing");
  expect(asked(addMs(NOW, 1 - NOT_FOUND_MS))).toBe("processing");
  expect(asked(addMs(NOW, -NOT_FOUND_MS))).toBe("send_again");
  const paid = makeTestWithdrawal({ money: "paid", status: "completed", notFoundSince: addMs(NOW, -NOT_FOUND_MS) });
  expect(nameOf(decideTransfer(paid, null, "answer", NOW))).toBe("completed");
});

test("returns the coins of a refused order only while they are held", () => {
  expect(nameOf(decideRefused(makeTestWithdrawal()))).toBe("return_coins");
  expect(nameOf(decideRefused(makeTestWithdrawal({ money: "paid", status: "completed" })))).toBe("completed");
});

test("keeps the polling of a paid withdrawal after a webhook without news", () => {
  const paid = makeTestWithdrawal({ money: "paid", status: "completed" });
  expect(decideTransfer(paid, makeProviderTransfer(), "webhook", NOW)).toMatchObject({ nextAttemptAt: NOW });
  expect(decideTransfer(paid, makeProviderTransfer(), "answer", NOW)).toMatchObject({ nextAttemptAt: null });
});

test('asks again for ten minutes about a transfer that was known and now is "not found"', () => {
  let now = NOW;
  let isOver = false;
  for (let attempts = 0; attempts < 20 && !isOver; attempts += 1) {
    const paid = makeTestWithdrawal({ money: "paid", status: "completed", attempts });
    const effect = decideTransfer(paid, null, "answer", now);
    expect(nameOf(effect)).toBe("completed");
    const next = effect.type === "set_status" ? effect.nextAttemptAt : null;
    isOver = next === null;
    now = next ?? now;
  }
  expect(isOver).toBe(true);
  expect(now - NOW).toBeGreaterThan(NOT_FOUND_MS);
});
