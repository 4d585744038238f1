import { paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";

/** 12:30 on 21 Nov 2026 in the local time zone. */
export const NOW = new Date(2026, 10, 21, 12, 30).getTime();

export function pay(change: Partial<PaymentView>): PaymentView {
  return {
    id: paymentIdOf("1"),
    kind: "withdrawal",
    status: "processing",
    kobo: 500_000,
    coins: "16339869",
    reference: "holo-1",
    createdAt: NOW,
    completedAt: null,
    reason: null,
    account: null,
    expectedAt: null,
    checkedUntil: null,
    payerFeeKobo: 0,
    rateKobo: 30_600,
    rateUntil: null,
    isCancellable: false,
    isPayable: false,
    ...change,
  };
}
