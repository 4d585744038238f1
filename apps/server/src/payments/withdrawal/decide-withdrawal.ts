import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { KOBO_MAX, type Kobo, toKobo } from "@holo/kernel/money.ts";
import {
  ASK,
  keepUnchanged,
  NOT_FOUND_MS,
  setStatus,
  toNextAttemptAt,
  type WithdrawalEffect,
  waitUntil,
} from "../effect/effect.ts";
import { makeReason } from "../payment-base.ts";
import { INCONCLUSIVE, type ProviderTransfer } from "../provider/provider-status.ts";
import { isWaiting, type Withdrawal } from "./withdrawal.ts";

export type WithdrawalReport =
  | { readonly type: "transfer"; readonly transfer: ProviderTransfer | null }
  | { readonly type: "refused" }
  /** The player cancels it, and the provider knows no such transfer. */
  | { readonly type: "cancelled" }
  /** An event without details, or about a payment of another kind. */
  | { readonly type: "event" };

/** With growing pauses more than ten minutes pass before "not found" is believed. */
const NOT_FOUND_ATTEMPTS = 9;

/**
 * The final decision on a report. Only a conclusive status moves coins, each once. A webhook only
 * causes a query (ruling 59).
 */
export function decideWithdrawal(withdrawal: Withdrawal, report: WithdrawalReport, now: Instant): WithdrawalEffect {
  switch (report.type) {
    case "transfer":
      return report.transfer === null
        ? decideMissing(withdrawal, now)
        : decideTransfer(withdrawal, report.transfer, now);
    case "refused":
      return isHeld(withdrawal)
        ? { type: "return_coins", status: "failed", reason: makeReason("transfer_failed") }
        : waitUntil(withdrawal, null);
    case "cancelled":
      return isWaiting(withdrawal)
        ? { type: "return_coins", status: "abandoned", reason: makeReason("withdrawal_cancelled") }
        : waitUntil(withdrawal, withdrawal.nextAttemptAt);
    case "event":
      return ASK;
    default:
      return assertNever(report);
  }
}

function isHeld({ type }: Withdrawal): boolean {
  return type === "held" || type === "sent";
}

function decideTransfer(withdrawal: Withdrawal, transfer: ProviderTransfer, now: Instant): WithdrawalEffect {
  const next = toNextAttemptAt(withdrawal, now);
  if (!isSameTransfer(withdrawal, transfer)) {
    return isHeld(withdrawal)
      ? setStatus("review", "under_review", next, "transfer_differs")
      : decideDifferingAfterEnd(withdrawal, transfer);
  }
  switch (transfer.status) {
    case "success":
      return decideSuccess(withdrawal, transfer);
    case "failed":
    case "reversed":
    case "abandoned":
    case "blocked":
    case "rejected":
      return decideFailure(withdrawal, transfer.status);
    case "otp":
      if (!isHeld(withdrawal)) return keepUnchanged(withdrawal);
      return setStatus("pending", "awaiting_confirmation", next, "transfer_otp");
    case "pending":
    case "received":
      return isHeld(withdrawal) ? setStatus("processing", null, next) : keepUnchanged(withdrawal);
    default:
      return assertNever(transfer.status);
  }
}

/** Staff decided on one report, and the provider may make another one later. */
function decideDifferingAfterEnd(
  withdrawal: Withdrawal,
  { reference, currency, status, amount }: ProviderTransfer,
): WithdrawalEffect {
  if (reference !== withdrawal.reference || currency !== "NGN") return keepUnchanged(withdrawal);
  if (isFailure(status)) {
    // Nothing of the ordered sum left, whatever the provider reported before.
    return amount === withdrawal.kobo ? decideFailure(withdrawal, status) : keepUnchanged(withdrawal);
  }
  const isArrived = status === "success" && withdrawal.type === "returned" && amount > 0n && amount <= KOBO_MAX;
  if (!isArrived) return keepUnchanged(withdrawal);
  return { type: "record_loss", sentKobo: toKobo(amount) };
}

function isFailure(status: ProviderTransfer["status"]): boolean {
  return status !== "success" && !INCONCLUSIVE.includes(status);
}

function decideSuccess(withdrawal: Withdrawal, { fee }: ProviderTransfer): WithdrawalEffect {
  switch (withdrawal.type) {
    case "held":
    case "sent":
      return { type: "pay", providerFeeKobo: toProviderFee(fee) };
    case "paid":
    case "lost":
      return keepUnchanged(withdrawal);
    case "returned":
      return { type: "record_loss" };
    default:
      return assertNever(withdrawal);
  }
}

function decideFailure(withdrawal: Withdrawal, status: ProviderTransfer["status"]): WithdrawalEffect {
  if (withdrawal.type === "returned") return keepUnchanged(withdrawal);
  if (!isHeld(withdrawal)) return { type: "return_late", reason: makeReason("transfer_reversed") };
  return status === "reversed"
    ? { type: "return_coins", status: "reversed", reason: makeReason("transfer_reversed") }
    : { type: "return_coins", status: "failed", reason: makeReason("transfer_failed") };
}

function decideMissing(withdrawal: Withdrawal, now: Instant): WithdrawalEffect {
  const next = toNextAttemptAt(withdrawal, now);
  // A webhook contradicts the payment, and this one answer may be wrong.
  if (!isHeld(withdrawal)) return waitUntil(withdrawal, withdrawal.attempts < NOT_FOUND_ATTEMPTS ? next : null);
  const since = withdrawal.type === "sent" ? withdrawal.notFoundSince : null;
  const isBelieved = since !== null && now - since >= NOT_FOUND_MS;
  return isBelieved ? { type: "send_again" } : waitUntil(withdrawal, next);
}

export function isSameTransfer(withdrawal: Withdrawal, { currency, reference, amount }: ProviderTransfer): boolean {
  const { kobo, sentKobo } = withdrawal;
  return currency === "NGN" && reference === withdrawal.reference && amount === (sentKobo ?? kobo);
}

export function toProviderFee(fee: bigint | null): Kobo | null {
  return fee === null || fee <= 0n ? null : toKobo(fee);
}
