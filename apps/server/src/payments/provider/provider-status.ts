import type { Instant } from "@holo/kernel/instant.ts";
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
type ChargeStatus = (typeof CHARGE_STATUSES)[number];

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
/** Of charges and transfers that have not ended. */
export const INCONCLUSIVE: readonly string[] = ["pending", "received", "otp", "ongoing", "processing", "queued"];

export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** A charge as the provider reports it. Amounts in kobo, ids as digits. */
export interface ProviderCharge {
  readonly id: string;
  readonly reference: string;
  readonly status: ChargeStatus;
  readonly amount: bigint;
  /** Less than the amount if the payer bears the fee; null if it is not reported. */
  readonly requestedAmount: bigint | null;
  readonly currency: string;
  readonly fees: bigint | null;
  /** Null for an unpaid charge, and if it is not reported. */
  readonly paidAt: Instant | null;
}

export interface ProviderTransfer {
  readonly id: string;
  readonly reference: string;
  readonly status: TransferStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly fee: bigint | null;
  readonly failure: string | null;
}

/** `open`: the refund can still succeed or fail. */
export interface ProviderRefund {
  readonly status: "open" | "processed" | "failed";
  readonly amount: bigint;
}

/** Disputes of a charge that are not over, or were won. */
export interface Disputes {
  readonly hasOpenDispute: boolean;
  /** When the newest lost dispute ended, while the bank has not taken the charge; else null. */
  readonly disputeLostAt: Instant | null;
  /** When the newest one ended in the platform's favour; null: never, or its text is erased. */
  readonly disputeWonAt: Instant | null;
}

export interface ProviderDispute {
  readonly id: string;
  /** Of the disputed charge. */
  readonly reference: string;
  /** Null while it is open. */
  readonly resolution: string | null;
}

export function parseDispute(data: unknown): ProviderDispute | null {
  if (!isJsonObject(data)) return null;
  const [id, reference, status] = [parseInteger(data.id), findReference(data), parseText(data.status)];
  if (id === null || reference === null || status === null) return null;
  const resolution = status === "resolved" ? (parseText(data.resolution) ?? "unknown") : null;
  return { id: String(id), reference, resolution };
}

export function parseStoredCharge(text: string | null): ProviderCharge | null {
  const kept = text === null ? undefined : parseJsonObject(text);
  return kept === undefined || !("fees" in kept)
    ? null
    : parseCharge({ ...kept, requested_amount: kept.requestedAmount });
}

export function parseStoredTransfer(text: string | null): ProviderTransfer | null {
  const kept = text === null ? undefined : parseJsonObject(text);
  return kept === undefined || !("fee" in kept)
    ? null
    : parseTransfer({ ...kept, fee_charged: kept.fee, gateway_response: kept.failure });
}

/** The report as stored text, with integers as digits. */
export function formatProviderReport(report: ProviderCharge | ProviderTransfer): string {
  return JSON.stringify(report, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

export function parseRefund(data: unknown, charge: Pick<ProviderCharge, "id" | "reference">): ProviderRefund | null {
  if (!isJsonObject(data)) return null;
  const { transaction } = data;
  const named = isJsonObject(transaction) ? transaction : { id: transaction, reference: data.transaction_reference };
  const isSameCharge = named.reference === charge.reference || String(parseInteger(named.id)) === charge.id;
  const [amount, status] = [parseInteger(data.amount), parseText(data.status)];
  if (!isSameCharge || amount === null || status === null) return null;
  return { status: status === "processed" || status === "failed" ? status : "open", amount };
}

/** The provider's list of all refunds names the charge by id or by reference. */
export interface ListedRefund extends ProviderRefund {
  readonly chargeId: string | null;
  readonly reference: string | null;
}

export function parseListedRefund(data: unknown): ListedRefund | null {
  if (!isJsonObject(data)) return null;
  const { transaction } = data;
  const named = isJsonObject(transaction) ? transaction : { id: transaction, reference: data.transaction_reference };
  const [id, reference] = [parseInteger(named.id), parseText(named.reference)];
  const refund = parseRefund(data, { id: String(id), reference: reference ?? "" });
  return refund === null || (id === null && reference === null)
    ? null
    : { ...refund, chargeId: id === null ? null : String(id), reference };
}

/** Null if a field that affects money is missing or unknown. */
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
    amount,
    requestedAmount,
    currency,
    fees: parseInteger(data.fees),
    paidAt: parseInstant(data.paid_at ?? data.paidAt),
  };
}

/** An instant in ISO 8601, or in ms as it is stored. */
function parseInstant(value: unknown): Instant | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number(parseInteger(value) ?? Number.NaN);
  return Number.isSafeInteger(ms) ? (ms as Instant) : null;
}

/** When a charge was paid: at most `now`, which is used if it is not reported. */
export function toPaidAt({ paidAt }: Pick<ProviderCharge, "paidAt">, now: Instant): Instant {
  return paidAt === null || paidAt > now ? now : paidAt;
}

/** Null if a field that affects money is missing or unknown. */
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

export function findReference(data: JsonObject): string | null {
  const transaction = isJsonObject(data.transaction) ? data.transaction : {};
  return parseText(data.reference) ?? parseText(data.transaction_reference) ?? parseText(transaction.reference);
}
