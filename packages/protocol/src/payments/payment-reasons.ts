import { formatNaira, type Kobo } from "@holo/kernel/money.ts";

export const PAYMENT_REASON_CODES = [
  "start_failed",
  "declined",
  "not_completed",
  "awaiting_provider",
  "disputed",
  "reversed",
  "part_taken",
  "above_limit",
  "restricted",
  "refund",
  "rate_fewer_coins",
  "rate_more_coins",
  "corrected",
  "with_staff",
  "awaiting_bank",
  "awaiting_dispute",
  "awaiting_debt",
  "awaiting_staff",
  "awaiting_records",
  "awaiting_first",
  "awaiting_fair_play",
  "checked",
  "awaiting_outcome",
  "transfer_failed",
  "transfer_reversed",
  "withdrawal_cancelled",
  "forfeited",
] as const;
export type PaymentReasonCode = (typeof PAYMENT_REASON_CODES)[number];

export interface PaymentReason {
  readonly code: PaymentReasonCode;
  /**
   * What was credited (`corrected`) or taken back (`part_taken`), or the price of a holocoin when
   * paid (`rate_…`); else null.
   */
  readonly kobo: Kobo | null;
}

const TEXTS: Readonly<Record<PaymentReasonCode, string>> = {
  start_failed: "The payment couldn't be started.",
  declined: "Your bank or card declined the payment.",
  not_completed: "The payment was not completed.",
  awaiting_provider: "Paystack isn't answering us right now. If you've paid, your coins arrive as soon as it does.",
  disputed: "Your bank disputes this payment. You can't withdraw or start a game until that's decided.",
  reversed: "The payment was reversed by your bank or card.",
  part_taken: "{kobo} of this payment was refunded, and its coins were removed.",
  above_limit: "This is above your deposit limit. {refund}",
  restricted: "You couldn't deposit when this arrived. {refund}",
  refund: "Your payment goes back to you. {refund}",
  rate_fewer_coins:
    "You paid after the rate shown had expired, so you got the rate at that time: {kobo} for 1 HC. That gave fewer coins.",
  rate_more_coins:
    "You paid after the rate shown had expired, so you got the rate at that time: {kobo} for 1 HC. That gave more coins.",
  corrected: "We credited the amount we received: {kobo}.",
  with_staff: "We're looking into this payment.",
  awaiting_bank: "Waiting for our bank. We'll send it as soon as we can.",
  awaiting_dispute: "Your bank disputes one of your deposits. This waits until that's settled. Your coins are safe.",
  awaiting_debt:
    "You owe coins from a reversed deposit. This waits until they're repaid. Your next deposit repays them first.",
  awaiting_staff:
    "Your withdrawals are on hold while we review your account. Your wallet says why. Your coins are safe.",
  awaiting_records: "We're checking our records with the bank. This waits until that's done. Your money is safe.",
  awaiting_first: "Your first withdrawal of coins you never played waits three days. Your money is safe.",
  awaiting_fair_play: "{kobo} waits while coins from recent games are checked, as happens to honest players too.",
  checked: "It's on its way to your bank. All was in order; sorry for the wait. These games aren't checked again.",
  awaiting_outcome: "The bank hasn't confirmed this yet. This can take 15 minutes. Your money is safe.",
  transfer_failed: "Failed to process withdrawal: the bank did not take the payment. {destination}",
  transfer_reversed: "The bank returned the payment. {destination}",
  withdrawal_cancelled: "You cancelled this withdrawal. {destination}",
  forfeited:
    "Two people decided that coins of this go back to those who lost them: the games weren't played fairly. You can appeal once, within 14 days, and somebody else answers.",
};

export function formatPaymentReason(
  { code, kobo }: PaymentReason,
  { kind, isOver }: { readonly kind: "deposit" | "withdrawal" | "revenue"; readonly isOver: boolean },
): string {
  return TEXTS[code]
    .replace("{kobo}", formatNaira(kobo ?? (0n as Kobo)))
    .replace("{refund}", isOver ? "It was refunded." : "It's being refunded.")
    .replace(
      "{destination}",
      kind === "revenue" ? "It's back in the Admin Wallet." : "Your coins are back in your wallet.",
    );
}
