import { formatNaira, type Kobo } from "@holo/kernel/money.ts";

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
  "awaiting_records",
  "awaiting_outcome",
  "awaiting_provider",
  "transfer_failed",
  "transfer_reversed",
  "withdrawal_cancelled",
  "paid_less",
] as const;
export type PaymentReasonCode = (typeof PAYMENT_REASON_CODES)[number];

export interface PaymentReason {
  readonly code: PaymentReasonCode;
  /**
   * What was credited (`credited_actual_amount`), taken back (`coins_taken_back`) or sent
   * (`paid_less`), or the price of a holocoin when paid (`rate_…`); else null.
   */
  readonly kobo: Kobo | null;
}

const RESTRICTED = "You couldn't deposit when this arrived.";
const ABOVE_LIMIT = "This is above your deposit limit.";

const TEXTS: Readonly<Record<PaymentReasonCode, string>> = {
  start_failed: "The payment couldn't be started.",
  never_started: "The payment was never started.",
  declined: "Your bank or card declined the payment.",
  not_completed: "The payment was not completed.",
  amount_differs: "The amount we received doesn't match this payment. We're looking into it.",
  old_exchange_rate: "This was paid long after it was started, at an old rate. We're looking into it.",
  account_deleted: "This arrived after the account was closed.",
  credited_actual_amount: "We credited the amount we received: {kobo}.",
  disputed: "Your bank disputes this payment. You can't withdraw or start a game until that's decided.",
  dispute_won:
    "The dispute about this payment was decided in your favour. You get its coins back once Paystack confirms it.",
  reversed_by_bank: "The payment was reversed by your bank or card.",
  above_limit_refunding: `${ABOVE_LIMIT} It's being refunded.`,
  above_limit_refunded: `${ABOVE_LIMIT} It was refunded.`,
  above_limit_disputed: `${ABOVE_LIMIT} Your bank also disputes it.`,
  restricted_refunding: `${RESTRICTED} It's being refunded.`,
  restricted_refunded: `${RESTRICTED} It was refunded.`,
  restricted_disputed: `${RESTRICTED} Your bank also disputes it.`,
  rate_fewer_coins:
    "You paid after the rate shown had expired, so you got the rate at that time: {kobo} for 1 HC. That gave fewer coins.",
  rate_more_coins:
    "You paid after the rate shown had expired, so you got the rate at that time: {kobo} for 1 HC. That gave more coins.",
  refunding: "Your payment is being refunded.",
  refund_slow: "Your refund is taking longer than usual. We're looking into it.",
  refund_failed: "We couldn't refund your payment yet. We're looking into it.",
  refunded: "Your payment was refunded.",
  coins_taken_back: "{kobo} of this payment was refunded, and its coins were removed.",
  under_review: "We're looking into this payment.",
  awaiting_bank: "Waiting for our bank. We'll send it as soon as we can.",
  awaiting_confirmation: "Waiting for our confirmation.",
  awaiting_dispute: "Your bank disputes one of your deposits. This waits until that's settled. Your coins are safe.",
  awaiting_debt:
    "You owe coins from a reversed deposit. This waits until they're repaid. Your next deposit repays them first.",
  awaiting_staff:
    "Your withdrawals are on hold while we review your account. Your wallet says why. Your coins are safe.",
  awaiting_records: "We're checking our records with the bank. This waits until that's done. Your money is safe.",
  awaiting_outcome: "The bank hasn't confirmed this yet. This can take 15 minutes. Your money is safe.",
  awaiting_provider: "Paystack isn't answering us right now. If you've paid, your coins arrive as soon as it does.",
  transfer_failed: "Failed to process withdrawal: the bank did not take the payment. {destination}",
  transfer_reversed: "The bank returned the payment. {destination}",
  withdrawal_cancelled: "You cancelled this withdrawal. {destination}",
  paid_less: "The bank paid only {kobo} of this. {destination}",
};

const DESTINATIONS = {
  player: "Your coins are back in your wallet.",
  staff: "The coins are back in the player's wallet.",
} as const;
const PLAYER_RESTRICTED = "The player couldn't deposit when this arrived.";
const ABOVE_PLAYER_LIMIT = "This is above the player's deposit limit.";

/** For staff, where the player's text addresses the player. */
const STAFF_TEXTS: Readonly<Partial<Record<PaymentReasonCode, string>>> = {
  declined: "The payer's bank or card declined the payment.",
  amount_differs: "The amount that arrived differs from what was asked for.",
  old_exchange_rate: "This was paid long after it was started, at an old rate.",
  disputed: "The payer's bank disputes this payment. The player can't withdraw or start a game until that's decided.",
  dispute_won: "The dispute was decided in the player's favour. They get the coins back once Paystack confirms it.",
  reversed_by_bank: "The payer's bank or card reversed the payment.",
  above_limit_refunding: `${ABOVE_PLAYER_LIMIT} It's being refunded.`,
  above_limit_refunded: `${ABOVE_PLAYER_LIMIT} It was refunded.`,
  above_limit_disputed: `${ABOVE_PLAYER_LIMIT} The payer's bank also disputes it.`,
  restricted_refunding: `${PLAYER_RESTRICTED} It's being refunded.`,
  restricted_refunded: `${PLAYER_RESTRICTED} It was refunded.`,
  restricted_disputed: `${PLAYER_RESTRICTED} The payer's bank also disputes it.`,
  rate_fewer_coins: "It was paid after the rate shown had expired, at {kobo} for 1 HC. That gave fewer coins.",
  rate_more_coins: "It was paid after the rate shown had expired, at {kobo} for 1 HC. That gave more coins.",
  refunding: "The payment is being refunded.",
  refund_slow: "The refund is taking longer than usual.",
  refund_failed: "The refund has failed so far.",
  refunded: "The payment was refunded.",
  awaiting_bank: "The provider didn't take the order. Please check its balance and whether it allows transfers.",
  awaiting_dispute: "The payer's bank disputes one of the player's deposits. This waits until that's settled.",
  awaiting_debt: "The player owes coins from a reversed deposit. This waits until they are repaid.",
  awaiting_staff: "The player's withdrawals are on hold.",
  awaiting_records: "Our records are being compared with the provider's. This is sent right after that.",
  awaiting_outcome: "The bank hasn't confirmed this yet.",
  awaiting_provider: "The provider doesn't answer. If this was paid, it's credited as soon as it does.",
  withdrawal_cancelled: "The player cancelled this withdrawal. {destination}",
};

export type PaymentReader = "player" | "staff";

export function formatPaymentReason(
  { code, kobo }: PaymentReason,
  kind: "deposit" | "withdrawal" | "revenue",
  reader: PaymentReader = "player",
): string {
  const text = (reader === "staff" ? STAFF_TEXTS[code] : undefined) ?? TEXTS[code];
  return text
    .replace("{kobo}", formatNaira(kobo ?? (0n as Kobo)))
    .replace("{destination}", kind === "revenue" ? "It's back in the Admin Wallet." : DESTINATIONS[reader]);
}
