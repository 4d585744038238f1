import { paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { PaymentStatus, PaymentView } from "@holo/protocol/payments/payments.ts";
import { expect, it } from "vitest";
import { toPaymentNotice } from "./payment-notice.ts";

function pay(kind: PaymentView["kind"], status: PaymentStatus, reason: string | null = null): PaymentView {
  return {
    id: paymentIdOf("1"),
    kind,
    status,
    kobo: 500_050,
    coins: "16341504",
    reference: "dep-1",
    createdAt: 0,
    completedAt: null,
    reason,
    account: null,
    expectedAt: null,
    checkedUntil: null,
    payerFeeKobo: 0,
    rateKobo: 30_600,
    rateUntil: null,
    isCancellable: false,
    isPayable: false,
  };
}

it("reports the outcome of a payment, with its reason if any", () => {
  expect(toPaymentNotice(pay("deposit", "completed"))).toEqual({
    kind: "done",
    title: "Deposit completed",
    text: "₦5,000.50",
  });
  expect(toPaymentNotice(pay("withdrawal", "reversed", "The bank sent it back."))).toEqual({
    kind: "failed",
    title: "Withdrawal reversed",
    text: "₦5,000.50: The bank sent it back.",
  });
});

it("reports nothing for a payment that is pending or abandoned", () => {
  for (const status of ["pending", "processing", "abandoned"] as const) {
    expect(toPaymentNotice(pay("deposit", status))).toBe(null);
  }
});
