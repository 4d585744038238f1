import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { formatPaymentReason } from "@holo/protocol/payments/payment-reasons.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { type Deposit, isPayable, toDepositCoins, toRateEndAt } from "./deposit/deposit.ts";
import { isWaiting, toTakenCoins, type Withdrawal } from "./withdrawal/withdrawal.ts";

export type Payment = Deposit | Withdrawal;

export function isDeposit(payment: Payment): payment is Deposit {
  return payment.kind === "deposit";
}

const LAST_DIGITS = 4;

export function toLastDigits(accountNumber: string): string {
  return accountNumber.slice(-LAST_DIGITS);
}

/** When a withdrawal should arrive at the latest (T+1); null for any other payment. */
function toExpectedAt(payment: Payment): Instant | null {
  const isOnItsWay = !isDeposit(payment) && (payment.status === "processing" || payment.status === "pending");
  if (!isOnItsWay) return null;
  const sentAt = payment.reason?.code === "awaiting_first" ? payment.nextAskAt : toCheckedUntil(payment);
  return addMs(sentAt ?? payment.createdAt, DAY_MS);
}

/** When it is sent at the latest that waits because of marks. */
function toCheckedUntil({ reason, nextAskAt }: Payment): Instant | null {
  return reason?.code === "awaiting_fair_play" ? nextAskAt : null;
}

/** What the provider holds of it and no one has been given. */
function toUngivenKobo({ inKobo, backKobo, keptKobo, writtenOffKobo, borneFeeKobo }: Deposit): bigint {
  return inKobo - backKobo - keptKobo - writtenOffKobo - borneFeeKobo;
}

function toAccountView(payment: Payment): PaymentView["account"] {
  if (isDeposit(payment)) return null;
  const { bankName, accountName, accountNumber } = payment.account;
  return { bankName, accountName, lastDigits: toLastDigits(accountNumber) };
}

export function toPaymentView(payment: Payment): PaymentView {
  const { id, kind, status, reference, createdAt, completedAt, reason } = payment;
  // A refund by its player begins after the deposit was completed.
  const isRefunding = isDeposit(payment) && payment.creditedKobo > 0n && toUngivenKobo(payment) > 0n;
  return {
    id,
    kind,
    status,
    kobo: Number(isDeposit(payment) && payment.creditedKobo > 0n ? payment.creditedKobo : payment.kobo),
    payerFeeKobo: Number(payment.payerFeeKobo),
    coins: String(isDeposit(payment) ? toDepositCoins(payment) : toTakenCoins(payment)),
    rateKobo: (isDeposit(payment) ? payment.creditRateKobo : null) ?? payment.rateKobo,
    rateUntil: isDeposit(payment) && isPayable(payment) ? toRateEndAt(payment) : null,
    reference,
    createdAt,
    completedAt,
    reason:
      reason &&
      formatPaymentReason(
        { ...reason, kobo: reason.kobo ?? payment.kobo },
        { kind, isOver: completedAt !== null && !isRefunding },
      ),
    account: toAccountView(payment),
    expectedAt: toExpectedAt(payment),
    checkedUntil: toCheckedUntil(payment),
    isPayable: isDeposit(payment) && isPayable(payment),
    isCancellable: payment.kind === "withdrawal" && isWaiting(payment) && toCheckedUntil(payment) === null,
  };
}
