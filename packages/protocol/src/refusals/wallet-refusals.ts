import type { RefusalText } from "./refusal-type.ts";

export const WALLET_REFUSALS = {
  deposit_login_required: { status: 401, title: "Error", text: "Please log in to make a deposit" },
  deposit_too_small: { status: 422, title: "Error", text: "Minimum deposit amount is ₦5,000" },
  deposit_too_large: { status: 422, title: "Error", text: "Maximum deposit amount is ₦10,000,000" },
  withdrawal_too_small: { status: 422, title: "Error", text: "Minimum withdrawal amount is ₦5,000" },
  bad_amount: { status: 422, title: "Error", text: "Please enter a valid amount" },
  no_email: {
    status: 409,
    title: "Error",
    text: "No email found for your account. Please update your profile.",
  },
  payments_unavailable: { status: 503, title: "Error", text: "Failed to initialize payment" },
  unknown_payment: { status: 404, title: "Error", text: "We can't find that payment." },
  missing_account_fields: {
    status: 422,
    title: "Error",
    text: "Please enter your account number and select a bank",
  },
  banks_unavailable: {
    status: 503,
    title: "Please try again",
    text: "We can't load the list of banks right now. Please try again in a moment.",
  },
  unknown_bank_account: { status: 422, title: "Error", text: "Unable to verify account" },
  account_check_failed: { status: 503, title: "Error", text: "Failed to verify account" },
  insufficient_for_withdrawal: { status: 409, title: "Error", text: "Insufficient coins for withdrawal" },
  not_settled: {
    status: 409,
    title: "Balance Not Yet Settled",
    text: "Deposits and winnings can be withdrawn 24 hours after they arrive. You can withdraw {have} HC now, and {need} more within {hours} h.",
  },
  account_not_verified: { status: 409, title: "Error", text: "Please verify your account details first" },
  email_unverified: {
    status: 409,
    title: "Email not verified",
    text: "Please verify your email address first: follow the link we mailed to you.",
  },
  password_required: {
    status: 409,
    title: "Confirm it's you",
    text: "This is the first time you use this bank account. Please enter your password.",
  },
  wrong_password: { status: 422, title: "Error", text: "Wrong password." },
  debts_open: {
    status: 409,
    title: "Withdrawals are blocked",
    text: "One of your deposits was reversed or is disputed by your bank. You can't withdraw until that's settled.",
  },
  withdrawals_held: {
    status: 409,
    title: "Withdrawals are on hold",
    text: "We're reviewing your account, so you can't withdraw right now. Your wallet says why. Your coins are safe.",
  },
  withdrawals_used: {
    status: 409,
    title: "Enough for today",
    text: "You can make {count} withdrawals in 24 hours. The next one is possible in {hours} h or sooner. Your coins stay in your wallet.",
  },
  withdrawal_fee_changed: {
    status: 409,
    title: "Please check again",
    text: "The fee for this withdrawal has changed. Your coins are still in your wallet. Please check the new amount.",
  },
  card_refund_changed: {
    status: 409,
    title: "Please check again",
    text: "The refund to your card has changed. Nothing was moved. Please check the new amount.",
  },
  coins_being_checked: {
    status: 409,
    title: "Not during the check",
    text: "These coins are being checked, so they can't go back to your wallet yet. They're sent right after the check.",
  },
  not_cancellable: {
    status: 409,
    title: "This can't be cancelled",
    text: "The bank may already have this payment, or it's finished. Your list shows its status.",
  },
  rate_changed: {
    status: 409,
    title: "The rate has changed",
    text: "You haven't paid anything. Please check the new figures and try again.",
  },
  deposit_fee_changed: {
    status: 409,
    title: "Please check again",
    text: "The fee for this deposit has changed. You haven't paid anything. Please check the new total.",
  },
  not_payable: {
    status: 409,
    title: "Error",
    text: "You can't continue this payment. Your list of payments shows its result.",
  },
  // fair play
  fair_play_text_missing: { status: 422, title: "Error", text: "Please write something first." },
  fair_play_over: {
    status: 409,
    title: "The check has ended",
    text: "Nothing of this withdrawal is being checked any more.",
  },
  fair_play_messages_full: {
    status: 409,
    title: "Thank you",
    text: "We have your messages, and read them all. There's no room for another one.",
  },
  appeal_made: { status: 409, title: "You have appealed", text: "We have your appeal. Someone new looks at it." },
  appeal_over: {
    status: 409,
    title: "Too late",
    text: "An appeal is possible within 14 days of the decision.",
  },
} as const satisfies Record<string, RefusalText>;
