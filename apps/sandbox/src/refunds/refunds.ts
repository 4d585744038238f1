import { assert } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { toTransactionView } from "../charges/transaction-view.ts";
import { takeFault } from "../faults/fault-queue.ts";
import { type Answer, answer, FAILURES, refusal } from "../http/answer.ts";
import type { JsonObject } from "../http/json.ts";
import { toPage } from "../http/pagination.ts";
import { formatInstant, INTEGRATION, type Provider } from "../state/provider.ts";
import { type Refund, type State, type Transaction, takeId } from "../state/state.ts";
import type { RefundStatus } from "../state/statuses.ts";

const EXPECTED_AFTER_MS = 7 * 24 * 3_600_000;
const INSUFFICIENT = "Insufficient balance to fulfill this refund. Please top up.";

/** A refund as the list has it, which names its charge by id alone. */
function toListedView({ state, domain }: Provider, refund: Refund): JsonObject {
  const transaction = state.transactions.get(refund.transactionReference);
  assert(transaction !== undefined, "a refund has its transaction");
  return {
    id: refund.id,
    integration: INTEGRATION,
    domain,
    transaction: transaction.id,
    dispute: null,
    settlement: null,
    amount: refund.amount,
    deducted_amount: refund.amount,
    fully_deducted: refund.status !== "failed",
    currency: transaction.currency,
    channel: transaction.channel,
    status: refund.status,
    refunded_by: refund.refundedBy,
    refunded_at: refund.status === "processed" ? formatInstant(refund.updatedAt) : null,
    expected_at: formatInstant(refund.createdAt + EXPECTED_AFTER_MS),
    customer_note: refund.customerNote,
    merchant_note: refund.merchantNote,
    createdAt: formatInstant(refund.createdAt),
    updatedAt: formatInstant(refund.updatedAt),
  };
}

function toRefundView(provider: Provider, refund: Refund): JsonObject {
  return { ...toListedView(provider, refund), transaction_reference: refund.transactionReference };
}

/**
 * A refund's webhook has neither id nor `reference`; its amount is text unless the refund failed.
 */
function notifyRefund(provider: Provider, refund: Refund): void {
  const transaction = provider.state.transactions.get(refund.transactionReference);
  assert(transaction !== undefined, "a refund has its transaction");
  const { email } = transaction.customer;
  provider.notify(`refund.${refund.status}`, transaction.reference, {
    status: refund.status,
    transaction_reference: transaction.reference,
    refund_reference: refund.status === "processed" ? refund.id.toString() : null,
    amount: refund.status === "failed" ? refund.amount : refund.amount.toString(),
    currency: transaction.currency,
    processor: "instant-transfer",
    customer: { first_name: null, last_name: null, email },
    integration: INTEGRATION,
    domain: provider.domain,
  });
}

function addRefund(
  provider: Provider,
  transaction: Transaction,
  amount: Kobo,
  given: Pick<Refund, "customerNote" | "merchantNote" | "refundedBy">,
): Refund {
  const { state, clock } = provider;
  const at = clock.now();
  const refund: Refund = {
    ...given,
    id: takeId(state),
    transactionReference: transaction.reference,
    amount,
    status: "pending",
    createdAt: at,
    updatedAt: at,
  };
  state.refunds.set(refund.id.toString(), refund);
  state.balance = (state.balance - amount) as Kobo;
  state.transactions.set(transaction.reference, { ...transaction, refunded: (transaction.refunded + amount) as Kobo });
  return refund;
}

export function settleRefund(provider: Provider, refundId: bigint, status: RefundStatus): void {
  const { state, clock } = provider;
  const refund = state.refunds.get(refundId.toString());
  const transaction = refund && state.transactions.get(refund.transactionReference);
  assert(refund !== undefined && transaction !== undefined, "a refund and its transaction stay known");
  if (refund.status === "processed" || refund.status === "failed" || refund.status === status) return;
  const settled: Refund = { ...refund, status, updatedAt: clock.now() };
  state.refunds.set(refundId.toString(), settled);
  if (status === "failed") {
    const refunded = (transaction.refunded - refund.amount) as Kobo;
    state.transactions.set(transaction.reference, { ...transaction, refunded });
    state.balance = (state.balance + refund.amount) as Kobo;
  }
  if (status === "processed" && transaction.refunded >= transaction.amount) {
    state.transactions.set(transaction.reference, {
      ...transaction,
      status: "reversed",
      gatewayResponse: "Reversed",
    });
  }
  notifyRefund(provider, settled);
}

/** By the provider itself: what is left of the charge, or a part of it. */
export function refundByProvider(provider: Provider, reference: string, part?: Kobo): void {
  const transaction = provider.state.transactions.get(reference);
  if (transaction === undefined || transaction.paidAt === null || transaction.refunded >= transaction.amount) return;
  const rest = (transaction.amount - transaction.refunded) as Kobo;
  const refund = addRefund(provider, transaction, part === undefined || part > rest ? rest : part, {
    customerNote: null,
    merchantNote: null,
    refundedBy: "provider",
  });
  settleRefund(provider, refund.id, "processed");
}

export function undoRefundWhole({ state, clock }: Provider, reference: string): void {
  const transaction = state.transactions.get(reference);
  if (transaction?.status !== "reversed") return;
  const own = [...state.refunds.values()].filter(
    (refund) =>
      refund.transactionReference === reference && refund.refundedBy === "provider" && refund.status === "processed",
  );
  if (own.length === 0) return;
  const amount = own.reduce((sum, refund) => sum + refund.amount, 0n);
  for (const refund of own) {
    state.refunds.set(refund.id.toString(), { ...refund, status: "failed", updatedAt: clock.now() });
  }
  state.balance = (state.balance + amount) as Kobo;
  state.transactions.set(reference, {
    ...transaction,
    status: "success",
    gatewayResponse: "Successful",
    refunded: (transaction.refunded - amount) as Kobo,
  });
}

function findTransaction(state: State, given: unknown): Transaction | undefined {
  const text = String(given);
  return state.transactions.get(text) ?? [...state.transactions.values()].find(({ id }) => id.toString() === text);
}

function toNote(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** POST /refund: `transaction` is a reference or an id. Without an amount, refunds the rest. */
export function createRefund(provider: Provider, body: JsonObject): Answer {
  const { state, clock } = provider;
  const transaction = findTransaction(state, body.transaction);
  if (transaction === undefined || transaction.paidAt === null) {
    return refusal(404, "Transaction not found", "transaction_not_found", "Send the reference of what was paid");
  }
  const rest = (transaction.amount - transaction.refunded) as Kobo;
  if (rest <= 0n) {
    return refusal(400, "Transaction has been fully reversed", "transaction_reversed", "Nothing is left to refund");
  }
  const amount = parseRefundAmount(body.amount, rest);
  if (amount === null || amount > rest) {
    return refusal(
      400,
      "Refund amount cannot be more than transaction amount",
      "invalid_amount",
      "Send at most what is left",
    );
  }
  if (amount > state.balance) {
    return { ...FAILURES.insufficientBalance, body: { ...FAILURES.insufficientBalance.body, message: INSUFFICIENT } };
  }
  const refund = addRefund(provider, transaction, amount, {
    customerNote: toNote(body.customer_note),
    merchantNote: toNote(body.merchant_note),
    refundedBy: "merchant@example.com",
  });
  notifyRefund(provider, refund);
  const fault = takeFault(state, { on: "refund_outcome", reference: transaction.reference });
  const at = clock.now() + state.settings.refundSettlesAfterMs;
  const settle = (status: RefundStatus): void =>
    provider.scheduler.schedule({ type: "settle_refund", refundId: refund.id, status }, at);
  if (fault?.fault !== "pending") {
    settle("processing");
    settle(fault?.fault === "failed" ? "failed" : "processed");
  }
  return answer("Refund has been queued for processing", {
    ...toRefundView(provider, refund),
    transaction: toTransactionView(transaction, provider.domain, null),
  });
}

function parseRefundAmount(value: unknown, rest: Kobo): Kobo | null {
  if (value === undefined) return rest;
  const isWhole = Number.isSafeInteger(value) || (typeof value === "string" && /^\d{1,15}$/.test(value));
  const amount = isWhole ? BigInt(value as number | string) : 0n;
  return amount > 0n ? (amount as Kobo) : null;
}

export function fetchRefund(provider: Provider, id: string): Answer {
  const refund = provider.state.refunds.get(id);
  if (refund === undefined) return refusal(404, "Refund not found", "refund_not_found", "Send the id of a refund");
  return answer("Refund retrieved", toRefundView(provider, refund));
}

/** GET /refund, newest first, by page, with the provider's filters. */
export function listRefunds(provider: Provider, query: URLSearchParams): Answer {
  const given = query.get("transaction") ?? query.get("reference");
  const reference = given === null ? null : findTransaction(provider.state, given)?.reference;
  const all = [...provider.state.refunds.values()]
    .reverse()
    .filter(({ transactionReference }) => reference === null || transactionReference === reference);
  const page = toPage(all, query);
  if (!page.ok) return page.refusal;
  const views = page.value.items.map((refund) => toListedView(provider, refund));
  return answer("Refunds retrieved", views, page.value.meta);
}
