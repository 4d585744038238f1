import { assert } from "@holo/kernel/assert.ts";
import { type Answer, answer, FAILURES, invalid } from "../http/answer.ts";
import type { JsonObject } from "../http/json.ts";
import { toPage } from "../http/pagination.ts";
import { refundByProvider, undoRefundWhole } from "../refunds/refunds.ts";
import { formatInstant, type Provider } from "../state/provider.ts";
import { type Dispute, takeId } from "../state/state.ts";
import type { DisputeResolution } from "../state/statuses.ts";
import { toCustomerView, toTransactionView } from "./transaction-view.ts";

const DUE_AFTER_MS = 24 * 3_600_000;

function toDisputeView({ state, domain, clock }: Provider, dispute: Dispute): JsonObject {
  const transaction = state.transactions.get(dispute.transactionReference);
  assert(transaction !== undefined, "a dispute has its transaction");
  const createdAt = formatInstant(dispute.createdAt);
  const by = transaction.customer.email;
  return {
    id: dispute.id,
    refund_amount: dispute.amount,
    currency: transaction.currency,
    status: dispute.status,
    resolution: dispute.resolution,
    domain,
    transaction: toTransactionView(transaction, domain, ""),
    // The provider leaves it empty: `transaction` names the charge.
    transaction_reference: null,
    category: "chargeback",
    customer: toCustomerView(transaction.customer),
    bin: "408408",
    last4: "4081",
    dueAt: formatInstant(dispute.createdAt + DUE_AFTER_MS),
    resolvedAt: dispute.resolvedAt === null ? null : formatInstant(dispute.resolvedAt),
    evidence: dispute.evidence?.text ?? null,
    attachments: null,
    note: null,
    history: [{ status: "pending", by, createdAt }],
    messages: [{ sender: by, body: "I was charged and got nothing", createdAt }],
    created_at: createdAt,
    updated_at: formatInstant(clock.now()),
  };
}

export function openDispute(provider: Provider, reference: string): void {
  const { state, clock } = provider;
  const known = state.disputes.get(reference);
  const transaction = state.transactions.get(reference);
  if (transaction === undefined || transaction.status !== "success" || known?.status === "resolved") return;
  if (known !== undefined) {
    return provider.notify("charge.dispute.remind", reference, toDisputeView(provider, known));
  }
  const dispute: Dispute = {
    id: takeId(state),
    transactionReference: reference,
    amount: transaction.amount,
    status: "awaiting-merchant-feedback",
    evidence: null,
    resolution: null,
    createdAt: clock.now(),
    resolvedAt: null,
  };
  state.disputes.set(reference, dispute);
  provider.notify("charge.dispute.create", reference, toDisputeView(provider, dispute));
}

/**
 * Ends an open dispute. Accepted: the payer gets the money. Declined: the merchant keeps it or gets
 * it back.
 */
export function resolveDispute(provider: Provider, reference: string, resolution: DisputeResolution): void {
  const { state, clock } = provider;
  const dispute = state.disputes.get(reference);
  if (dispute === undefined || dispute.status === "resolved") return;
  const resolved: Dispute = { ...dispute, status: "resolved", resolution, resolvedAt: clock.now() };
  state.disputes.set(reference, resolved);
  if (resolution === "merchant-accepted") refundByProvider(provider, reference);
  else undoRefundWhole(provider, reference);
  provider.notify("charge.dispute.resolve", reference, toDisputeView(provider, resolved));
}

function findOpen({ state }: Pick<Provider, "state">, id: string): Dispute | null {
  const found = [...state.disputes.values()].find((dispute) => dispute.id.toString() === id);
  return found === undefined || found.status === "resolved" ? null : found;
}

/** POST /dispute/:id/evidence */
export function addEvidence({ state }: Pick<Provider, "state">, id: string, body: JsonObject): Answer {
  const dispute = findOpen({ state }, id);
  if (dispute === null) return FAILURES.noDispute;
  const text = body.service_details;
  if (typeof text !== "string" || text === "" || typeof body.customer_email !== "string")
    return invalid("Evidence is incomplete", "Send customer_email and service_details");
  const evidence = { id: takeId(state), text };
  state.disputes.set(dispute.transactionReference, { ...dispute, evidence });
  return answer("Evidence created", { id: evidence.id, dispute: dispute.id, service_details: text });
}

/** PUT /dispute/:id/resolve, declined only: the bank decides then. */
export function declineDispute(provider: Provider, id: string, body: JsonObject): Answer {
  const dispute = findOpen(provider, id);
  if (dispute === null) return FAILURES.noDispute;
  if (body.resolution !== "declined" || body.evidence !== dispute.evidence?.id.toString())
    return invalid("Evidence is required to decline a dispute", "Add evidence, and send its id");
  const declined: Dispute = { ...dispute, status: "awaiting-bank-feedback" };
  provider.state.disputes.set(dispute.transactionReference, declined);
  return answer("Dispute successfully declined", toDisputeView(provider, declined));
}

/** GET /dispute, newest first, by page. */
export function listDisputes(provider: Provider, query: URLSearchParams): Answer {
  const page = toPage([...provider.state.disputes.values()].reverse(), query);
  if (!page.ok) return page.refusal;
  const views = page.value.items.map((dispute) => toDisputeView(provider, dispute));
  return answer("Disputes retrieved", views, page.value.meta);
}
