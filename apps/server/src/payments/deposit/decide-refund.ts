import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { isBeingRefunded, type Payment } from "../payment.ts";
import type { ProviderCharge, ProviderRefund } from "../provider/provider-status.ts";
import { BEYOND_LIMIT, type Effect, NOT_FOUND_MS, tell, toNextAttemptAt, wait } from "../settlement/effect.ts";

/** What the provider lists as gone back. */
export function sumProcessed(refunds: readonly ProviderRefund[]): bigint {
  return refunds.filter(({ status }) => status === "processed").reduce((sum, { amount }) => sum + amount, 0n);
}

/** It is back. Who was told why it goes back is told so still. */
export function toRefunded({ reason }: Payment): Effect {
  const isBeyond = reason?.startsWith(BEYOND_LIMIT) === true;
  const done = isBeyond ? `${BEYOND_LIMIT} It was sent back to you.` : "Your payment was sent back to you.";
  return { type: "refunded", reason: done };
}

/** A refund takes its ten working days at the worst; what takes a week is worth a look at the provider's own pages. */
export const REFUND_SLOW_MS = 7 * DAY_MS;

const REFUND_SLOW = "Your payment is still on its way back to you. We are looking into it.";
const NOT_REFUNDED = "We could not send your payment back yet. We are looking into it.";

/**
 * What has become of a deposit that is being sent back, by what the provider says of the charge and lists of its refunds. That it lists
 * none, or failed ones alone, is believed after ten minutes, since the newest may not be listed yet: then the first is told to it again,
 * which it takes once, and the second is for people to look at. They are called as well, once, where it stays on its way for a week;
 * nothing else changes by that, since a second refund could be one too many.
 */
export function decideRefund(
  payment: Payment,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  now: Instant,
): Effect {
  if (!isBeingRefunded(payment)) return wait(payment, payment.nextAttemptAt);
  const isWholeBack = charge !== null && sumProcessed(refunds) >= charge.amount;
  if (charge?.status === "reversed" || isWholeBack) return toRefunded(payment);
  const isBelieved = payment.notFoundSince !== null && now - payment.notFoundSince >= NOT_FOUND_MS;
  if (!isBelieved || refunds.some(({ status }) => status === "open")) {
    const isSlow = payment.sentAt !== null && now - payment.sentAt >= REFUND_SLOW_MS;
    const next = toNextAttemptAt(payment, now);
    return isSlow ? tell(payment.status, REFUND_SLOW, next, "refund_slow") : wait(payment, next);
  }
  return refunds.length === 0 ? { type: "send_again" } : tell("review", NOT_REFUNDED, null, "refund_failed");
}

/** The provider refused to send it back: the money is there still, and for people to look at. */
export function decideRefundRefused(payment: Payment): Effect {
  return isBeingRefunded(payment)
    ? tell("review", NOT_REFUNDED, null, "refund_refused")
    : wait(payment, payment.nextAttemptAt);
}
