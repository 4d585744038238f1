import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { isOpen } from "../../ui/money/payment-text.ts";

/** Puts what was heard of a payment in the place of what was known of it; a new one comes first. */
export function putPayment(payments: readonly PaymentView[], heard: PaymentView): readonly PaymentView[] {
  const isKnown = payments.some(({ id }) => id === heard.id);
  if (isKnown) return payments.map((payment) => (payment.id === heard.id ? heard : payment));
  return [heard, ...payments];
}

/** Kobo on the way in and on the way out. */
export function sumOpen(payments: readonly PaymentView[], kind: PaymentView["kind"]): bigint {
  return payments
    .filter((payment) => payment.kind === kind && payment.completedAt === null && isOpen(payment))
    .reduce((sum, { kobo }) => sum + BigInt(kobo), 0n);
}
