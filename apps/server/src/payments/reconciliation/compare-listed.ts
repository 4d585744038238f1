import type { PaymentUpdater } from "../effect/payment-updater.ts";
import { isDeposit, type Payment, toPaymentMoney } from "../payment.ts";
import { type Difference, findDifference, isNews, type ListedPayment } from "./compare-payment.ts";

/** A page of the provider's lists has at most 100 entries. */
export const PAGES_MAX = 10_000;

export interface Compared {
  readonly settled: number;
  readonly differences: readonly Difference[];
}

export function isOfKind(payment: Payment, { type }: ListedPayment): boolean {
  return isDeposit(payment) === (type === "charge");
}

/** Updates the payment by its entry in the provider's list and compares what remains. */
export async function compareListed(
  updater: Pick<PaymentUpdater, "apply">,
  payment: Payment,
  entry: ListedPayment,
): Promise<{ readonly isSettled: boolean; readonly difference: Difference | null }> {
  const after = await applyListed(updater, payment, entry);
  return {
    isSettled: toPaymentMoney(after) !== toPaymentMoney(payment),
    difference: findDifference(after, entry),
  };
}

async function applyListed(
  updater: Pick<PaymentUpdater, "apply">,
  payment: Payment,
  entry: ListedPayment,
): Promise<Payment> {
  if (!isNews(payment, entry)) return payment;
  const { reference } = payment;
  const report =
    entry.type === "charge"
      ? ({ type: "charge", charge: entry.item } as const)
      : ({ type: "transfer", transfer: entry.item } as const);
  const applied = await updater.apply({ reference, report, asOfRequest: payment });
  return applied?.payment ?? payment;
}
