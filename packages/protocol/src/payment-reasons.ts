import { formatNaira, type Kobo } from "@holo/kernel/money.ts";

/** Why a payment has its status, as stored in its row. */
export const PAYMENT_REASON_CODES = [
  "start_failed",
  "never_started",
  "declined",
  "not_completed",
  "amount_differs",
  "old_exchange_rate",
  "account_deleted",
  "credited_actual_amount",
  "disputed",
  "dispute_won",
  "reversed_by_bank",
  "above_limit_refunding",
  "above_limit_refunded",
  "above_limit_disputed",
  "restricted_refunding",
  "restricted_refunded",
  "restricted_disputed",
  "rate_fewer_coins",
  "rate_more_coins",
  "refunding",
  "refund_slow",
  "refund_failed",
  "refunded",
  "coins_taken_back",
  "under_review",
  "awaiting_bank",
  "awaiting_confirmation",
  "awaiting_dispute",
  "awaiting_debt",
  "awaiting_staff",
  "awaiting_outcome",
  "transfer_failed",
  "transfer_reversed",
] as const;
export type PaymentReasonCode = (typeof PAYMENT_REASON_CODES)[number];

export interface PaymentReason {
  readonly code: PaymentReasonCode;
  /**
   * What was credited (`credited_actual_amount`) or taken back (`coins_taken_back`), or what a
   * holocoin cost when it was paid (`rate_…`); else null.
   */
  readonly kobo: Kobo | null;
}

const RESTRICTED = "You could not make a deposit when this arrived.";
const ABOVE_LIMIT = "This is more than you let yourself deposit.";

const TEXTS: Readonly<Record<PaymentReasonCode, string>> = {
  start_failed: "The payment could not be begun.",
  never_started: "The payment was never begun.",
  declined: "Your bank or card declined the payment.",
  not_completed: "The payment was not completed.",
  amount_differs: "What arrived differs from what was to be paid. We are looking into it.",
  old_exchange_rate: "This was paid long after it was begun, at a rate of before. We are looking into it.",
  account_deleted: "This came in after its player had left.",
  credited_actual_amount: "What arrived was credited: {kobo}.",
  disputed: "Your bank disputes this payment. Until that is decided you can neither withdraw nor start a game.",
  dispute_won:
    "The dispute about this payment was decided in your favour. Its coins come back once Paystack confirms it.",
  reversed_by_bank: "The payment was reversed by your bank or card.",
  above_limit_refunding: `${ABOVE_LIMIT} It is being sent back to you.`,
  above_limit_refunded: `${ABOVE_LIMIT} It was sent back to you.`,
  above_limit_disputed: `${ABOVE_LIMIT} Your bank disputes it as well.`,
  restricted_refunding: `${RESTRICTED} It is being sent back to you.`,
  restricted_refunded: `${RESTRICTED} It was sent back to you.`,
  restricted_disputed: `${RESTRICTED} Your bank disputes it as well.`,
  rate_fewer_coins:
    "You paid after the rate shown had ended, so the rate of that moment counts: {kobo} for 1 HC. That gave fewer coins.",
  rate_more_coins:
    "You paid after the rate shown had ended, so the rate of that moment counts: {kobo} for 1 HC. That gave more coins.",
  refunding: "Your payment is being sent back to you.",
  refund_slow: "Your payment is still on its way back to you. We are looking into it.",
  refund_failed: "We could not send your payment back yet. We are looking into it.",
  refunded: "Your payment was sent back to you.",
  coins_taken_back: "{kobo} of this payment went back to you, and its coins were taken back.",
  under_review: "We are looking into this payment.",
  awaiting_bank: "Waiting for our bank. Your payment will be sent as soon as possible.",
  awaiting_confirmation: "Waiting for our confirmation.",
  awaiting_dispute:
    "Your bank disputes a deposit of yours. This will be sent once that is decided, and your coins stay safe.",
  awaiting_debt:
    "You owe coins from a deposit that was reversed. Make a deposit to repay them, and this will be sent after that.",
  awaiting_staff:
    "Your withdrawals are on hold while we look into your account. Your wallet says why; nothing is lost.",
  awaiting_outcome: "The bank has not confirmed this yet. We keep asking, which can take 15 minutes. Nothing is lost.",
  transfer_failed: "Failed to process withdrawal: the bank did not take the payment. {destination}",
  transfer_reversed: "The bank sent the payment back. {destination}",
};

/**
 * The text of a reason for the owner of the payment: a player, or the platform for a revenue
 * withdrawal.
 */
export function formatPaymentReason({ code, kobo }: PaymentReason, kind: "deposit" | "withdrawal" | "revenue"): string {
  const destination = kind === "revenue" ? "It is back in the Admin Wallet." : "Your coins are back in your wallet.";
  return TEXTS[code].replace("{kobo}", formatNaira(kobo ?? (0n as Kobo))).replace("{destination}", destination);
}
