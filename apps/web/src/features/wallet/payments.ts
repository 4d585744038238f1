import type { PaymentView } from "@holo/protocol/payments.ts";
import { isOpen } from "../../shared/money/payment-text.ts";

/** Replaces a known payment in place and puts a new one first. */
export function upsertPayment(payments: readonly PaymentView[], received: PaymentView): readonly PaymentView[] {
  const isKnown = payments.some(({ id }) => id === received.id);
  if (isKnown) return payments.map((payment) => (payment.id === received.id ? received : payment));
  return [received, ...payments];
}

export function sumOpenKobo(payments: readonly PaymentView[], kind: PaymentView["kind"]): bigint {
  return payments
    .filter((payment) => payment.kind === kind && payment.completedAt === null && isOpen(payment))
    .reduce((sum, { kobo }) => sum + BigInt(kobo), 0n);
}
