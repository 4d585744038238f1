import type { Instant } from "@holo/kernel/instant.ts";
import type { DisputeStage } from "../core/deposit-state.ts";
import { isJsonObject, type JsonObject, parseInteger, parseText } from "./json.ts";

const CHARGE_STATUSES = [
  "abandoned",
  "failed",
  "ongoing",
  "pending",
  "processing",
  "queued",
  "reversed",
  "success",
] as const;
/** `unknown`: a word that is not among them. */
type ChargeStatus = (typeof CHARGE_STATUSES)[number] | "unknown";

const TRANSFER_STATUSES = [
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

/** `unknown`: a word that is not among them. */
export type TransferStatus = (typeof TRANSFER_STATUSES)[number] | "unknown";

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
  /** `card`, `bank_transfer` and others; null if it is not reported. */
  readonly channel: string | null;
  /** The same for each payment by one card; null for other channels. */
  readonly cardSignature: string | null;
}

export interface ProviderTransfer {
  readonly id: string;
  readonly reference: string;
  readonly status: TransferStatus;
  readonly amount: bigint;
  readonly currency: string;
  readonly fee: bigint | null;
}

/** `open`: the refund can still succeed or fail. */
export interface ProviderRefund {
  readonly status: "open" | "processed" | "failed";
  readonly amount: bigint;
}

export interface ProviderDispute {
  readonly id: string;
  /** Of the disputed charge. */
  readonly reference: string;
  readonly stage: DisputeStage;
  /** Until when an answer is taken; null if it is not reported. */
  readonly dueAt: Instant | null;
}

/** A dispute of a list or a webhook. `declined`: the payer's claim was. */
export function parseDispute(data: unknown): ProviderDispute | null {
  if (!isJsonObject(data)) return null;
  const [id, reference, status] = [parseInteger(data.id), findReference(data), parseText(data.status)];
  if (id === null || reference === null) return null;
  const isOver = status === "resolved" || (status === null && parseText(data.resolution) !== null);
  const stage = !isOver ? "open" : data.resolution === "declined" ? "won" : "lost";
  return { id: String(id), reference, stage, dueAt: parseInstant(data.due_at ?? data.dueAt) };
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

const CHANNEL_LENGTH_MAX = 40;

/** Null if a field that affects money is missing. */
export function parseCharge(data: unknown): ProviderCharge | null {
  if (!isJsonObject(data)) return null;
  const status = parseStatus(CHARGE_STATUSES, data.status);
  const amount = parseInteger(data.amount);
  const id = parseInteger(data.id);
  const reference = parseText(data.reference);
  const currency = parseText(data.currency);
  if (status === null || amount === null || id === null || reference === null || currency === null) return null;
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
    channel: parseText(data.channel)?.slice(0, CHANNEL_LENGTH_MAX) ?? null,
    cardSignature: parseCardSignature(data),
  };
}

function parseCardSignature({ channel, authorization }: JsonObject): string | null {
  return channel === "card" && isJsonObject(authorization) ? parseText(authorization.signature) : null;
}

/** A new word of the provider makes one payment a case for staff, never an answer unreadable. */
function parseStatus<Known extends string>(all: readonly Known[], status: unknown): Known | "unknown" | null {
  if (parseText(status) === null) return null;
  return all.find((known) => known === status) ?? "unknown";
}

/** An instant in ISO 8601. */
function parseInstant(value: unknown): Instant | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isSafeInteger(ms) ? (ms as Instant) : null;
}

/** Null if a field that affects money is missing. */
export function parseTransfer(data: unknown): ProviderTransfer | null {
  if (!isJsonObject(data)) return null;
  const status = parseStatus(TRANSFER_STATUSES, data.status);
  const amount = parseInteger(data.amount);
  const id = parseInteger(data.id);
  const reference = parseText(data.reference);
  const currency = parseText(data.currency);
  if (status === null || amount === null || id === null || reference === null || currency === null) return null;
  return { id: String(id), reference, status, amount, currency, fee: parseInteger(data.fee_charged) };
}

export function findReference(data: JsonObject): string | null {
  const transaction = isJsonObject(data.transaction) ? data.transaction : {};
  return parseText(data.reference) ?? parseText(data.transaction_reference) ?? parseText(transaction.reference);
}
