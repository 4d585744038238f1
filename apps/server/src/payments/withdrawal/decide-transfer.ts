import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { Payment } from "../payment.ts";
import type { ProviderTransfer } from "../provider/provider-status.ts";
import {
  type Effect,
  LOOKING,
  NOT_FOUND_MS,
  rest,
  type Source,
  tell,
  toNextAttemptAt,
  wait,
} from "../settlement/effect.ts";

function toTransferFee(word: ProviderTransfer): Kobo | null {
  return word.fee === null || word.fee <= 0n ? null : (word.fee as Kobo);
}

function isOurs(payment: Payment, word: ProviderTransfer): boolean {
  return word.currency === "NGN" && word.reference === payment.reference && word.amount === payment.kobo;
}

const FAILED = "Failed to process withdrawal: the bank did not take the payment.";
const REVERSED = "The bank sent the payment back.";

/** What became of money that was sent out, and where its coins are now. */
function explainReturn({ kind }: Payment, what: string): string {
  return `${what} ${kind === "revenue" ? "It is back in the Admin Wallet." : "Your coins are back in your wallet."}`;
}

/**
 * What the provider's word means for money out. Only a conclusive word moves coins, and each of them once. Webhooks come in any order, so
 * one that contradicts what was done is asked about first; so is every one that would return coins, since what was sent back may be
 * what was never taken.
 *
 * @param word null where the provider knows no such transfer
 */
export function decideTransfer(payment: Payment, word: ProviderTransfer | null, source: Source, now: Instant): Effect {
  if (word === null) return decideMissing(payment, now);
  if (!isOurs(payment, word)) {
    if (payment.money === "held") {
      return tell("review", LOOKING, toNextAttemptAt(payment, now), "transfer_differs");
    }
    return rest(payment, source);
  }
  const { money } = payment;
  switch (word.status) {
    case "success":
      if (money === "held") return { type: "pay", providerFeeKobo: toTransferFee(word) };
      if (money === "paid" || money === "lost") return rest(payment, source);
      // Coins were returned. What came back had been a success before, and its webhook may be the later one.
      return source === "webhook" ? { type: "ask" } : { type: "lose" };
    case "failed":
    case "reversed":
    case "abandoned":
    case "blocked":
    case "rejected":
      if (money === "returned") return rest(payment, source);
      if (source === "webhook") return { type: "ask" };
      if (money === "paid" || money === "lost") return { type: "compensate", reason: explainReturn(payment, REVERSED) };
      return word.status === "reversed"
        ? { type: "give_back", status: "reversed", reason: explainReturn(payment, REVERSED) }
        : { type: "give_back", status: "failed", reason: explainReturn(payment, FAILED) };
    case "otp":
      if (money !== "held") return rest(payment, source);
      return tell("pending", "Waiting for our confirmation.", toNextAttemptAt(payment, now), "transfer_otp");
    case "pending":
    case "received":
      if (money !== "held") return rest(payment, source);
      return tell("processing", null, toNextAttemptAt(payment, now));
    default:
      return assertNever(word.status);
  }
}

/** The provider refused the order and knows nothing of it: nothing was sent, and nothing will be. */
export function decideRefused(payment: Payment): Effect {
  return payment.money === "held"
    ? { type: "give_back", status: "failed", reason: explainReturn(payment, FAILED) }
    : wait(payment, null);
}

function decideMissing(payment: Payment, now: Instant): Effect {
  if (payment.money !== "held") return wait(payment, null);
  const isBelieved = payment.notFoundSince !== null && now - payment.notFoundSince >= NOT_FOUND_MS;
  return isBelieved ? { type: "send_again" } : wait(payment, toNextAttemptAt(payment, now));
}
