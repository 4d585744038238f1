import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { formatPaymentReason, type PaymentReader } from "@holo/protocol/payments/payment-reasons.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { type Deposit, isPayable, toRateEndAt } from "./deposit/deposit.ts";
import { isWaiting, toTakenCoins, type Withdrawal } from "./withdrawal/withdrawal.ts";

export type Payment = Deposit | Withdrawal;

type DepositMoney = "none" | "credited" | "taken_back" | "restored";
export type WithdrawalMoney = "held" | "paid" | "returned" | "lost";
export type PaymentMoney = DepositMoney | WithdrawalMoney;

export function isDeposit(payment: Payment): payment is Deposit {
  return payment.kind === "deposit";
}

/** Whether a deposit's coins are the player's, but disputed or under review (ruling 33). */
export function isDisputed(payment: Payment): boolean {
  return payment.type === "credited" && payment.isUnderReview;
}

export function toPaymentMoney(payment: Payment): PaymentMoney {
  switch (payment.type) {
    case "unpaid":
    case "reversed":
      return "none";
    case "held":
      return payment.kind === "deposit" ? "none" : "held";
    case "refunding":
    case "refunded":
      return payment.wasCredited ? "taken_back" : "none";
    case "credited":
      return payment.isRestored ? "restored" : "credited";
    case "sent":
      return "held";
    case "taken_back":
    case "paid":
    case "returned":
    case "lost":
      return payment.type;
    default:
      return assertNever(payment);
  }
}

const LAST_DIGITS = 4;

export function toLastDigits(accountNumber: string): string {
  return accountNumber.slice(-LAST_DIGITS);
}

/** When a withdrawal should arrive at the latest (T+1); null for any other payment. */
function toExpectedAt(payment: Payment): Instant | null {
  const isOnItsWay = !isDeposit(payment) && (payment.status === "processing" || payment.status === "pending");
  return isOnItsWay ? addMs(payment.createdAt, DAY_MS) : null;
}

function toAccountView(payment: Payment): PaymentView["account"] {
  if (isDeposit(payment)) return null;
  const { bankName, accountName, accountNumber } = payment.account;
  return { bankName, accountName, lastDigits: toLastDigits(accountNumber) };
}

export function toPaymentView(payment: Payment): PaymentView {
  return toView(payment, "player");
}

export function toStaffPaymentView(payment: Payment): PaymentView {
  return toView(payment, "staff");
}

function toView(payment: Payment, reader: PaymentReader): PaymentView {
  const { id, kind, status, reference, createdAt, completedAt, reason } = payment;
  return {
    id,
    kind,
    status,
    kobo: Number(payment.kobo),
    payerFeeKobo: Number(payment.payerFeeKobo),
    coins: String(isDeposit(payment) ? payment.coins : toTakenCoins(payment)),
    rateKobo: payment.rateKobo,
    rateUntil: isDeposit(payment) && isPayable(payment) ? toRateEndAt(payment) : null,
    reference,
    createdAt,
    completedAt,
    reason: reason && formatPaymentReason(reason, kind, reader),
    account: toAccountView(payment),
    expectedAt: toExpectedAt(payment),
    isPayable: isDeposit(payment) && isPayable(payment),
    isCancellable: payment.kind === "withdrawal" && isWaiting(payment),
  };
}
