import type { Instant } from "@holo/kernel/instant.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { INCONCLUSIVE, type ProviderCharge, type ProviderTransfer } from "../provider/provider-status.ts";
import { toChargeFact, toTransferFact } from "../provider/to-facts.ts";

export type Listed =
  | { readonly type: "charge"; readonly item: ProviderCharge }
  | { readonly type: "transfer"; readonly item: ProviderTransfer };

/** A disagreement that asking did not settle. Stored as JSON with its day. */
export interface Difference {
  readonly type: /** Moved at the provider, or ordered from it, and unknown here. */
    | "unknown_charge"
    | "unknown_transfer"
    | "unknown_refund"
    | "provider_short"
    /** Moved here, and not at the provider. */
    | "missing_charge"
    | "missing_transfer"
    /** A listed item that could not be parsed. */
    | "unread";
  readonly reference: string;
  readonly kobo: string;
}

export function toDifference(type: Difference["type"], { item }: Listed): Difference {
  return { type, reference: item.reference, kobo: String(item.amount) };
}

/** Whether the money has left its place, or may still be sent. */
export function hasMoved({ type, item: { status } }: Listed): boolean {
  return status === "success" || (type === "transfer" && (INCONCLUSIVE.includes(status) || status === "unknown"));
}

export function isOfKind(payment: Payment, { type }: Listed): boolean {
  return isDeposit(payment) === (type === "charge");
}

/**
 * Whether the list says something else than the payment's facts: then the provider is asked. It
 * settles nothing.
 */
export function isNews(payment: Payment, listed: Listed, now: Instant): boolean {
  if (isDeposit(payment)) {
    if (listed.type !== "charge") return false;
    const { outcome, kobo } = toChargeFact(payment, listed.item, [], now);
    if (outcome === "reversed") return payment.inKobo === 0n || payment.backKobo < payment.inKobo;
    if (kobo === 0n) return outcome === "unreadable" && payment.step !== "with_staff";
    // A refund without the payer's fee leaves its charge a success.
    const isTaken = payment.backKobo === payment.inKobo && payment.reason?.code === "reversed";
    return kobo !== payment.inKobo || isTaken;
  }
  if (listed.type !== "transfer") return false;
  const { outcome, kobo } = toTransferFact(payment, listed.item);
  switch (outcome) {
    case "success":
    case "other_sum":
      return payment.sentKobo !== kobo;
    case "failed":
    case "reversed":
      return payment.sentKobo > 0n || !payment.isBack;
    case "foreign":
    case "unreadable":
      return payment.step !== "with_staff" && !payment.isBack;
    default:
      return false;
  }
}

/** What is still different after the provider was asked. */
export function findDifference(payment: Payment, listed: Listed): Difference | null {
  const isThere = listed.item.status === "success";
  if (isDeposit(payment)) {
    return payment.keptKobo > 0n && !isThere ? toDifference("missing_charge", listed) : null;
  }
  return payment.sentKobo > 0n && !isThere ? toDifference("missing_transfer", listed) : null;
}

/** A payment that no list names. */
export function findMissing(payment: Payment): Difference | null {
  const hasMovedHere = isDeposit(payment) ? payment.keptKobo > 0n : payment.sentKobo > 0n;
  const type = isDeposit(payment) ? "missing_charge" : "missing_transfer";
  return hasMovedHere ? { type, reference: payment.reference, kobo: String(payment.kobo) } : null;
}
