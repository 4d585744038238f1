import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toKobo } from "@holo/kernel/money.ts";
import { toFeeCoins } from "@holo/protocol/payments/withdrawal-terms.ts";
import { type BankAccount, makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

interface WithdrawalBase extends PaymentBase {
  /** `revenue`: out of the platform's earnings. */
  readonly kind: "withdrawal" | "revenue";
  readonly account: BankAccount;
  /** The player's part of the provider's fees, besides `kobo` (ruling 37). */
  readonly payerFeeKobo: Kobo;
  readonly recipientCode: string | null;
  /** What the provider sent, if staff decided that it differs from `kobo`. */
  readonly sentKobo: Kobo | null;
}

/** Its coins are held, and the provider was certainly not ordered to send it. */
export interface HeldWithdrawal extends WithdrawalBase {
  readonly type: "held";
  readonly sentAt: null;
}

/** Its coins are held, and the provider was, or may have been, ordered to send it. */
export interface SentWithdrawal extends WithdrawalBase {
  readonly type: "sent";
  readonly sentAt: Instant;
  /** Since when the provider has not known the transfer. */
  readonly notFoundSince: Instant | null;
}

interface PaidWithdrawal extends WithdrawalBase {
  readonly type: "paid";
  readonly providerFeeKobo: Kobo | null;
}

export interface ReturnedWithdrawal extends WithdrawalBase {
  readonly type: "returned";
}

export interface LostWithdrawal extends WithdrawalBase {
  readonly type: "lost";
}

export type Withdrawal = HeldWithdrawal | SentWithdrawal | PaidWithdrawal | ReturnedWithdrawal | LostWithdrawal;

type NewWithdrawalFields = NewPaymentFields & {
  readonly account: BankAccount;
  readonly payerFeeKobo?: Kobo;
  readonly recipientCode?: string;
};

export function makeWithdrawal(kind: Withdrawal["kind"], given: NewWithdrawalFields): HeldWithdrawal {
  const { account, payerFeeKobo = toKobo(0n), recipientCode = null, ...fields } = given;
  const base = makePaymentBase(kind, fields, "processing");
  return { ...base, kind, type: "held", account, payerFeeKobo, recipientCode, sentKobo: null, sentAt: null };
}

/** The coins that left the wallet: sent ones and the fees that the player bears. */
export function toTakenCoins({ coins, kobo, payerFeeKobo, rateKobo }: Withdrawal): Coins {
  return toCoins(coins + toFeeCoins({ kobo, feeKobo: payerFeeKobo, rateKobo }));
}

export function isWaiting(withdrawal: Withdrawal): boolean {
  return withdrawal.type === "held" && withdrawal.status === "pending";
}

export function isSameOrder(
  { kobo, payerFeeKobo, account }: Withdrawal,
  order: { readonly kobo: number; readonly accountNumber: string; readonly bankCode: string },
): boolean {
  const isSameAccount = account.accountNumber === order.accountNumber && account.bankCode === order.bankCode;
  return isSameAccount && kobo + payerFeeKobo === BigInt(order.kobo);
}

export function toBankAccount({ bankCode, bankName, accountNumber, accountName }: BankAccount): BankAccount {
  return { bankCode, bankName, accountNumber, accountName };
}
