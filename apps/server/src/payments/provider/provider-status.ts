import { isJsonObject, type JsonObject, parseInteger, parseJsonObject, parseText } from "./json.ts";

export const CHARGE_STATUSES = [
  "abandoned",
  "failed",
  "ongoing",
  "pending",
  "processing",
  "queued",
  "reversed",
  "success",
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

export const TRANSFER_STATUSES = [
  "pending",
  "otp",
  "received",
  "success",
  "failed",
  "reversed",
  "abandoned",
  "blocked",
  "rejected",
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** What the provider says of money that comes in. Amounts in kobo, ids as their digits. */
export interface ProviderCharge {
  readonly id: string;
  readonly reference: string;
  readonly status: ChargeStatus;
  readonly amount: bigint;
  /** What was asked for, where it says so: less than the amount where the payer bears the fee. */
  readonly requestedAmount: bigint | null;
  readonly currency: string;
  readonly fees: bigint | null;
}

/** What the provider says of money that goes out. */
export interface ProviderTransfer {
  readonly id: string;
  readonly reference: string;
  readonly status: TransferStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly fee: bigint | null;
  /** Why it failed, in the provider's words; null where it gives none. */
  readonly failure: string | null;
}

/** What the provider says of money that it sends back. Open is whatever has not come to an end, whyever. */
export interface ProviderRefund {
  readonly status: "open" | "processed" | "failed";
  readonly amount: bigint;
}

/** A charge as `formatWord` kept it; null for a transfer, and for nothing. */
export function parseStoredCharge(text: string | null): ProviderCharge | null {
  const kept = text === null ? undefined : parseJsonObject(text);
  return kept === undefined || !("fees" in kept)
    ? null
    : parseCharge({ ...kept, requested_amount: kept.requestedAmount });
}

/** What the provider said, to be kept: integers as their digits. */
export function formatProviderReport(word: ProviderCharge | ProviderTransfer): string {
  return JSON.stringify(word, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

/** A refund out of a list, where it is of this charge; null where it is of another, or something is missing. */
export function parseRefund(data: unknown, charge: Pick<ProviderCharge, "id" | "reference">): ProviderRefund | null {
  if (!isJsonObject(data)) return null;
  const { transaction } = data;
  const of = isJsonObject(transaction) ? transaction : { id: transaction, reference: data.transaction_reference };
  const isOfIt = of.reference === charge.reference || String(parseInteger(of.id)) === charge.id;
  const [amount, status] = [parseInteger(data.amount), parseText(data.status)];
  if (!isOfIt || amount === null || status === null) return null;
  return { status: status === "processed" || status === "failed" ? status : "open", amount };
}

/** A charge out of an answer or a webhook; null where something that money hangs on is missing or unheard of. */
export function parseCharge(data: unknown): ProviderCharge | null {
  if (!isJsonObject(data)) return null;
  const status = CHARGE_STATUSES.find((known) => known === data.status);
  const amount = parseInteger(data.amount);
  const id = parseInteger(data.id);
  const reference = parseText(data.reference);
  const currency = parseText(data.currency);
  if (status === undefined || amount === null || id === null || reference === null || currency === null) return null;
  const requestedAmount = parseInteger(data.requested_amount);
  return {
    id: String(id),
    reference,
    status,
    amount: amount,
    requestedAmount,
    currency,
    fees: parseInteger(data.fees),
  };
}

/** A transfer out of an answer or a webhook, under the same terms. */
export function parseTransfer(data: unknown): ProviderTransfer | null {
  if (!isJsonObject(data)) return null;
  const status = TRANSFER_STATUSES.find((known) => known === data.status);
  const amount = parseInteger(data.amount);
  const id = parseInteger(data.id);
  const reference = parseText(data.reference);
  const currency = parseText(data.currency);
  if (status === undefined || amount === null || id === null || reference === null || currency === null) return null;
  const fee = parseInteger(data.fee_charged);
  return { id: String(id), reference, status, amount, currency, fee, failure: parseText(data.gateway_response) };
}

/** What a webhook is about: refunds and disputes name the payment elsewhere than the others. */
export function findReference(data: JsonObject): string | null {
  const transaction = isJsonObject(data.transaction) ? data.transaction : {};
  return parseText(data.reference) ?? parseText(data.transaction_reference) ?? parseText(transaction.reference);
}
