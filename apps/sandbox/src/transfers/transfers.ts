import { assert, assertNever } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { takeFault } from "../faults/fault-queue.ts";
import type { Fault, TransferFault } from "../faults/faults.ts";
import { toTransferFee } from "../fees.ts";
import { type Answer, answer, FAILURES, invalid, refusal } from "../http/answer.ts";
import type { JsonObject } from "../http/json.ts";
import { toPage } from "../http/pagination.ts";
import { formatInstant, INTEGRATION, makeCode, type Provider } from "../state/provider.ts";
import { type Recipient, type Transfer, takeId } from "../state/state.ts";
import type { TransferStatus } from "../state/statuses.ts";
import { toRecipientView } from "./recipients.ts";

const REFERENCE = /^[a-z0-9_-]{16,50}$/;

const OUTCOMES_BY_ENDING: { readonly [ending: string]: TransferFault } = {
  "9001": "failed",
  "9002": "reversed",
  "9003": "otp",
  "9004": "pending",
};

/** Delay of a reversal, so that the success is seen first. */
const REVERSED_AFTER_MS = 10_000;

/** The statuses in which the money has left or will leave. */
const HOLDING: readonly TransferStatus[] = ["pending", "otp", "received", "success"];

function recipientOf({ state }: Provider, transfer: Transfer): Recipient {
  const recipient = state.recipients.get(transfer.recipientCode);
  assert(recipient !== undefined, "a transfer has its recipient");
  return recipient;
}

function toTransferView(provider: Provider, transfer: Transfer): JsonObject {
  return {
    amount: transfer.amount,
    createdAt: formatInstant(transfer.createdAt),
    currency: "NGN",
    domain: provider.domain,
    failures: null,
    id: transfer.id,
    integration: INTEGRATION,
    reason: transfer.reason,
    reference: transfer.reference,
    source: "balance",
    source_details: null,
    status: transfer.status,
    titan_code: null,
    transfer_code: transfer.code,
    request: transfer.requestId,
    transferred_at: null,
    updatedAt: formatInstant(transfer.updatedAt),
    recipient: toRecipientView(recipientOf(provider, transfer), provider.domain),
    session: { provider: null, id: null },
    fee_charged: transfer.fee,
    fees_breakdown: null,
    gateway_response: null,
  };
}

/**
 * Sets a transfer's status and sends its webhook. Returns amount and fee of a transfer that failed
 * or was reversed. A success can only be reversed; every other end is final.
 */
export function settleTransfer(provider: Provider, reference: string, status: TransferStatus): void {
  const { state, clock, domain } = provider;
  const transfer = state.transfers.get(reference);
  assert(transfer !== undefined, "a transfer stays known");
  const isOver = !HOLDING.includes(transfer.status) || (transfer.status === "success" && status !== "reversed");
  if (isOver || transfer.status === status) return;
  const settled: Transfer = { ...transfer, status, updatedAt: clock.now() };
  state.transfers.set(reference, settled);
  if (!HOLDING.includes(status)) state.balance = (state.balance + transfer.amount + transfer.fee) as Kobo;
  if (status === "success" || status === "failed" || status === "reversed") {
    provider.notify(`transfer.${status}`, reference, {
      ...toTransferView(provider, settled),
      integration: { id: INTEGRATION, is_live: domain === "live", business_name: state.settings.businessName },
    });
  }
}

function scheduleOutcome(provider: Provider, reference: string, outcome: TransferFault, fault: Fault | null): void {
  const { scheduler, clock, state } = provider;
  const dueAt = clock.now() + state.settings.transferSettlesAfterMs;
  const settle = (status: TransferStatus, at: number): void =>
    scheduler.schedule({ type: "settle_transfer", reference, status }, at);
  switch (outcome) {
    case "success":
    case "failed":
    case "abandoned":
    case "blocked":
    case "rejected":
      return settle(outcome, dueAt);
    case "reversed":
      settle("success", dueAt);
      return settle("reversed", dueAt + (fault?.delayMs ?? REVERSED_AFTER_MS));
    case "success_at_once":
      return settleTransfer(provider, reference, "success");
    case "pending":
    case "otp":
    case "received":
      return;
    default:
      return assertNever(outcome);
  }
}

/** POST /transfer. A used reference is refused first; its first answer is never repeated. */
export function createTransfer(provider: Provider, body: JsonObject): Answer {
  const { state, clock, domain } = provider;
  const { reference = makeCode("transfer-"), recipient: recipientCode } = body;
  if (body.source !== "balance") return invalid("Source is invalid", "Send balance");
  if (!Number.isSafeInteger(body.amount) || (body.amount as number) <= 0) {
    return refusal(400, "Invalid amount passed.", "invalid_amount", "Send a whole number of kobo above 0");
  }
  if (typeof reference !== "string" || !REFERENCE.test(reference)) {
    return refusal(
      400,
      "Your reference contains illegal special characters",
      "invalid_transfer_reference",
      "Send 16 to 50 of a-z, 0-9, _ and -",
    );
  }
  if (state.transfers.has(reference)) return FAILURES.duplicateTransfer;
  const recipient = typeof recipientCode === "string" ? state.recipients.get(recipientCode) : undefined;
  if (recipient === undefined) {
    return refusal(400, "Recipient specified is invalid", "invalid_transfer_recipient", "Send the code of a recipient");
  }
  const amount = BigInt(body.amount as number) as Kobo;
  const fee = toTransferFee(amount);
  if (amount + fee > state.balance) return FAILURES.insufficientBalance;

  const fault = takeFault(state, { on: "transfer_outcome", reference });
  const outcome = (fault?.fault as TransferFault | undefined) ?? OUTCOMES_BY_ENDING[recipient.accountNumber.slice(-4)];
  const at = clock.now();
  const transfer: Transfer = {
    id: takeId(state),
    requestId: takeId(state),
    code: makeCode("TRF_"),
    reference,
    recipientCode: recipient.code,
    amount,
    fee,
    reason: typeof body.reason === "string" ? body.reason : null,
    status: outcome === "otp" || outcome === "received" ? outcome : "pending",
    createdAt: at,
    updatedAt: at,
  };
  state.transfers.set(reference, transfer);
  state.balance = (state.balance - amount - fee) as Kobo;
  scheduleOutcome(provider, reference, outcome ?? "success", fault);

  const { status } = state.transfers.get(reference)!;
  return answer(status === "otp" ? "Transfer requires OTP to continue" : "Transfer has been queued", {
    transfersessionid: [],
    transfertrials: [],
    domain,
    amount,
    currency: "NGN",
    reference,
    source: "balance",
    source_details: null,
    reason: transfer.reason,
    status,
    failures: null,
    transfer_code: transfer.code,
    titan_code: null,
    transferred_at: null,
    id: transfer.id,
    integration: INTEGRATION,
    request: transfer.requestId,
    recipient: recipient.id,
    createdAt: formatInstant(at),
    updatedAt: formatInstant(at),
  });
}

export function verifyTransfer(provider: Provider, reference: string): Answer {
  const transfer = provider.state.transfers.get(reference);
  return transfer === undefined
    ? FAILURES.noTransfer
    : answer("Transfer retrieved", toTransferView(provider, transfer));
}

/** GET /transfer, newest first. */
export function listTransfers(provider: Provider, query: URLSearchParams): Answer {
  const page = toPage([...provider.state.transfers.values()].reverse(), query);
  if (!page.ok) return page.refusal;
  const views = page.value.items.map((transfer) => toTransferView(provider, transfer));
  return answer("Transfers retrieved", views, page.value.meta);
}

export function readBalance({ state }: Provider): Answer {
  return answer("Balances retrieved", [{ currency: "NGN", balance: state.balance }]);
}
