import { assertNever } from "@holo/kernel/assert.ts";
import { DAY_MS } from "@holo/kernel/instant.ts";
import { isDeposit, type Payment, toPaymentMoney } from "../payment.ts";
import { INCONCLUSIVE, type ProviderCharge, type ProviderTransfer } from "../provider/provider-status.ts";
import { isSameTransfer } from "../withdrawal/decide-withdrawal.ts";

/** As long as a charge may be paid late, disputed or reversed by its bank, generously. */
export const REVERSIBLE_MS = 120 * DAY_MS;

export type ListedPayment =
  | { readonly type: "charge"; readonly item: ProviderCharge }
  | { readonly type: "transfer"; readonly item: ProviderTransfer };

/** A disagreement that remains after everything was settled. Stored as JSON with its day. */
export interface Difference {
  readonly type: /** Moved at the provider, or ordered from it, and unknown here. */
    | "unknown_charge"
    | "unknown_transfer"
    | "unknown_refund"
    | "provider_short"
    /** Moved here, and not at the provider. */
    | "missing_charge"
    | "missing_transfer"
    | "kept_charge"
    | "other_amount"
    /** A listed item that could not be parsed. */
    | "unread";
  readonly reference: string;
  readonly kobo: string;
}

export function toDifference(type: Difference["type"], { item }: ListedPayment): Difference {
  return { type, reference: item.reference, kobo: String(item.amount) };
}

/** Whether the money has left its place, or may still be sent. */
export function hasMoved({ type, item: { status } }: ListedPayment): boolean {
  return status === "success" || (type === "transfer" && INCONCLUSIVE.includes(status));
}

export function isNews(payment: Payment, { item: { status } }: ListedPayment): boolean {
  const isFailed = !INCONCLUSIVE.includes(status) && status !== "success";
  switch (payment.type) {
    case "unpaid":
    case "reversed":
    case "refunded":
    case "returned":
      return status === "success";
    case "refunding":
      return status === "reversed" || (status === "success" && !payment.wasCredited);
    case "credited":
      return status === "reversed";
    case "taken_back":
      return status === "success" && payment.isUnderReview;
    case "held":
      return payment.kind === "deposit" ? status === "reversed" : !INCONCLUSIVE.includes(status);
    case "sent":
      return !INCONCLUSIVE.includes(status);
    case "paid":
    case "lost":
      return isFailed;
    default:
      return assertNever(payment);
  }
}

export function findDifference(payment: Payment, listed: ListedPayment): Difference | null {
  const hasMoved = listed.item.status === "success";
  const isAllAllocated = payment.type === "credited" && payment.allocatedKobo === payment.kobo;
  if (toPaymentMoney(payment) === "taken_back" || isAllAllocated) {
    // A refund of the deposit without the payer's fee leaves its charge a success.
    const isFeeKept = isAllAllocated && listed.item.amount > payment.kobo;
    return hasMoved && !isFeeKept ? toDifference("kept_charge", listed) : null;
  }
  const isCredited = payment.type === "credited";
  if (payment.status === "review" && hasMoved && !isCredited) return toDifference("other_amount", listed);
  if (payment.type === "reversed" && hasMoved) return toDifference("kept_charge", listed);
  if (payment.type === "paid" || payment.type === "lost") {
    if (!hasMoved) return toDifference("missing_transfer", listed);
    return listed.type === "transfer" && !isSameTransfer(payment, listed.item)
      ? toDifference("other_amount", listed)
      : null;
  }
  return isCredited && !hasMoved ? toDifference("missing_charge", listed) : null;
}

export function findMissing(payment: Payment): Difference | null {
  const { type, reference } = payment;
  if (type !== "credited" && type !== "paid" && type !== "lost") return null;
  const missing = isDeposit(payment) ? "missing_charge" : "missing_transfer";
  return { type: missing, reference, kobo: String(payment.kobo) };
}
