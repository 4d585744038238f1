import type { Instant } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { type BankAccount, makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

interface WithdrawalBase extends PaymentBase {
  /** `revenue`: out of the platform's earnings. */
  readonly kind: "withdrawal" | "revenue";
  readonly account: BankAccount;
  /** The provider's code of the account, once it is known. */
  readonly recipientCode: string | null;
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

/** Confirmed by the provider. */
interface PaidWithdrawal extends WithdrawalBase {
  readonly type: "paid";
  readonly providerFeeKobo: Kobo | null;
}

/** Its coins are back with their owner. */
interface ReturnedWithdrawal extends WithdrawalBase {
  readonly type: "returned";
}

/** Sent after its coins were returned: the platform's loss. */
interface LostWithdrawal extends WithdrawalBase {
  readonly type: "lost";
}

export type Withdrawal = HeldWithdrawal | SentWithdrawal | PaidWithdrawal | ReturnedWithdrawal | LostWithdrawal;

type NewWithdrawalFields = NewPaymentFields & {
  readonly account: BankAccount;
  readonly recipientCode?: string;
};

export function makeWithdrawal(kind: Withdrawal["kind"], given: NewWithdrawalFields): HeldWithdrawal {
  const { account, recipientCode = null, ...fields } = given;
  const base = makePaymentBase(kind, fields, "processing");
  return { ...base, kind, type: "held", account, recipientCode, sentAt: null };
}

export function isSameOrder(
  { kobo, account }: Withdrawal,
  order: { readonly kobo: number; readonly accountNumber: string; readonly bankCode: string },
): boolean {
  const isSameAccount = account.accountNumber === order.accountNumber && account.bankCode === order.bankCode;
  return isSameAccount && kobo === BigInt(order.kobo);
}

export function toBankAccount({ bankCode, bankName, accountNumber, accountName }: BankAccount): BankAccount {
  return { bankCode, bankName, accountNumber, accountName };
}
