import { assertNever } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { takeFault } from "../faults/fault-queue.ts";
import type { ChargeFault } from "../faults/faults.ts";
import { subtractOneNaira } from "../faults/untrue-answers.ts";
import { toChargeFee } from "../fees.ts";
import { refundByProvider } from "../refunds/refunds.ts";
import type { Provider } from "../state/provider.ts";
import type { State, Transaction } from "../state/state.ts";
import type { TransactionStatus } from "../state/statuses.ts";
import { toTransactionView } from "./transaction-view.ts";
import { NOT_COMPLETED } from "./transactions.ts";

const GATEWAY_RESPONSES: { readonly [Status in TransactionStatus]: string } = {
  abandoned: NOT_COMPLETED,
  failed: "Declined",
  ongoing: "Transaction in progress",
  pending: "Transaction in progress",
  processing: "Transaction in progress",
  queued: "Transaction in progress",
  reversed: "Reversed",
  success: "Successful",
};

interface PaidAmount {
  readonly amount?: Kobo;
  readonly currency?: string;
}

export function findByAccessCode(state: State, accessCode: string): Transaction | undefined {
  return [...state.transactions.values()].find((transaction) => transaction.accessCode === accessCode);
}

function succeed(provider: Provider, transaction: Transaction, paid: PaidAmount): void {
  const { state, clock, domain } = provider;
  if (transaction.paidAt !== null) return;
  const amount = paid.amount ?? transaction.amount;
  const fees = toChargeFee(amount);
  const succeeded: Transaction = {
    ...transaction,
    amount,
    currency: paid.currency ?? transaction.currency,
    fees,
    status: "success",
    gatewayResponse: GATEWAY_RESPONSES.success,
    paidAt: clock.now(),
  };
  state.transactions.set(succeeded.reference, succeeded);
  if (succeeded.currency === "NGN") state.balance = (state.balance + amount - fees) as Kobo;
  provider.notify("charge.success", succeeded.reference, toTransactionView(succeeded, domain, 0));
}

export function settleCharge(
  provider: Provider,
  transaction: Transaction,
  status: TransactionStatus,
  paid: PaidAmount = {},
): void {
  if (status === "success") return succeed(provider, transaction, paid);
  if (status === "reversed") return refundByProvider(provider, transaction.reference, paid.amount);
  if (transaction.paidAt !== null) return;
  const changed: Transaction = { ...transaction, status, gatewayResponse: GATEWAY_RESPONSES[status] };
  provider.state.transactions.set(transaction.reference, changed);
}

export function payCharge(provider: Provider, transaction: Transaction): void {
  const fault = takeFault(provider.state, { on: "charge_outcome", reference: transaction.reference });
  if (fault === null) return succeed(provider, transaction, {});
  const name = fault.fault as ChargeFault;
  switch (name) {
    case "wrong_amount": {
      // `requested_amount` stays: a client that reads it alone credits too much.
      const amount = fault.amount === undefined ? subtractOneNaira(transaction.amount) : BigInt(fault.amount);
      return succeed(provider, transaction, { amount: amount as Kobo });
    }
    case "wrong_currency":
      return succeed(provider, transaction, { currency: fault.currency ?? "USD" });
    case "reversed":
    case "disputed": {
      succeed(provider, transaction, {});
      const type = name === "reversed" ? "reverse_charge" : "dispute_charge";
      const at = provider.clock.now() + (fault.delayMs ?? 0);
      return provider.scheduler.schedule({ type, reference: transaction.reference }, at);
    }
    case "success":
    case "failed":
    case "abandoned":
    case "ongoing":
    case "pending":
    case "processing":
    case "queued":
      return settleCharge(provider, transaction, name);
    default:
      return assertNever(name);
  }
}
