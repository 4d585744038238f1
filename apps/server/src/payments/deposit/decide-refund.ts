import { DAY_MS } from "@holo/kernel/instant.ts";
import {
  type DepositEffect,
  keepUnchanged,
  NOT_FOUND_MS,
  setStatus,
  toNextAttemptAt,
  waitUntil,
} from "../effect/effect.ts";
import { makeReason, type PaymentReasonCode } from "../payment-base.ts";
import type { ProviderCharge, ProviderRefund } from "../provider/provider-status.ts";
import { type DisputeContext, holdForStaff } from "./decide-dispute.ts";
import type { Deposit, RefundedDeposit, RefundingDeposit } from "./deposit.ts";

export function sumProcessed(refunds: readonly ProviderRefund[]): bigint {
  return refunds.filter(({ status }) => status === "processed").reduce((sum, { amount }) => sum + amount, 0n);
}

/** The refund has arrived. Its reason keeps its cause. */
export function finishRefund({ reason }: RefundingDeposit): DepositEffect {
  return { type: "finish_refund", reason: makeReason(toRefundedCode(reason?.code)) };
}

function toRefundedCode(code: PaymentReasonCode | undefined): PaymentReasonCode {
  switch (code) {
    case "above_limit_refunding":
      return "above_limit_refunded";
    case "restricted_refunding":
      return "restricted_refunded";
    default:
      return "refunded";
  }
}

/** Refunds take up to ten working days. After a week staff check the provider's pages. */
export const REFUND_SLOW_MS = 7 * DAY_MS;

/**
 * A missing or failed refund is believed after ten minutes, since the newest may not be listed yet.
 * A missing one is ordered again, a failed one is for staff. A slow one only raises an alert.
 */
export function decideRefund(
  deposit: Deposit,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  context: DisputeContext,
): DepositEffect {
  const { now } = context;
  if (deposit.type !== "refunding") return waitUntil(deposit, deposit.nextAttemptAt);
  const isWholeBack = charge !== null && sumProcessed(refunds) >= charge.amount;
  if (charge?.status === "reversed" || isWholeBack) return finishRefund(deposit);
  const isBelieved = deposit.notFoundSince !== null && now - deposit.notFoundSince >= NOT_FOUND_MS;
  if (!isBelieved || refunds.some(({ status }) => status === "open")) {
    const next = toNextAttemptAt(deposit, now);
    return now - deposit.sentAt >= REFUND_SLOW_MS
      ? setStatus(deposit.status, "refund_slow", next, "refund_slow")
      : waitUntil(deposit, next);
  }
  return refunds.length === 0
    ? { type: "retry_refund" }
    : holdForStaff(deposit, "refund_failed", "refund_failed", context);
}

/** A bank can send a finished refund back. The money is ours again, and staff decide once more. */
export function decideRefunded(
  deposit: RefundedDeposit,
  charge: ProviderCharge | null,
  refunds: readonly ProviderRefund[],
  context: DisputeContext,
): DepositEffect {
  const hasFailed = refunds.length > 0 && refunds.every(({ status }) => status === "failed");
  return charge?.status === "success" && hasFailed
    ? holdForStaff(deposit, "refund_failed", "refund_failed", context)
    : keepUnchanged(deposit);
}

/** The provider refused the refund and still has the money: staff decide. */
export function decideRefundRefused(deposit: Deposit, context: DisputeContext): DepositEffect {
  return deposit.type === "refunding"
    ? holdForStaff(deposit, "refund_failed", "refund_refused", context)
    : waitUntil(deposit, deposit.nextAttemptAt);
}
