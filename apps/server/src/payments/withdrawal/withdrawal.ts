import type { PaymentId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toKobo } from "@holo/kernel/money.ts";
import { toFeeCoins } from "@holo/protocol/payments/withdrawal-terms.ts";
import type { WithdrawalStep } from "../core/withdrawal-state.ts";
import { type BankAccount, makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

/** A withdrawal's order, and what follows from its facts (`core/withdrawal-state.ts`). */
export interface Withdrawal extends PaymentBase {
  /** `revenue`: out of the platform's earnings. */
  readonly kind: "withdrawal" | "revenue";
  readonly account: BankAccount;
  /** The player's part of the provider's fees, besides `kobo` (ruling 37). */
  readonly payerFeeKobo: Kobo;
  readonly recipientCode: string | null;
  /** The withdrawal whose marked coins it has; null for any other. */
  readonly partOf: PaymentId | null;
  readonly step: WithdrawalStep;
  readonly isBack: boolean;
  readonly sentKobo: Kobo;
  /** When it was, or may have been, ordered. */
  readonly sentAt: Instant | null;
}

type NewWithdrawalFields = NewPaymentFields & {
  readonly account: BankAccount;
  readonly payerFeeKobo?: Kobo;
  readonly recipientCode?: string;
  readonly partOf?: PaymentId | null;
};

export function makeWithdrawal(kind: Withdrawal["kind"], given: NewWithdrawalFields): Withdrawal {
  const { account, payerFeeKobo = toKobo(0n), recipientCode = null, partOf = null, ...fields } = given;
  const base = makePaymentBase(kind, fields, "processing");
  const facts = { step: "held", isBack: false, sentKobo: toKobo(0n), sentAt: null } as const;
  return { ...base, ...facts, kind, account, payerFeeKobo, recipientCode, partOf };
}

/** The coins that left the wallet: sent ones and the fees that the player bears. */
export function toTakenCoins({ coins, kobo, payerFeeKobo, rateKobo }: Withdrawal): Coins {
  return toCoins(coins + toFeeCoins({ kobo, feeKobo: payerFeeKobo, rateKobo }));
}

export function isWaiting({ step, status }: Withdrawal): boolean {
  return step === "held" && status === "pending";
}

/** `partKobo`: what its part that waits takes besides. */
export function isSameOrder(
  { kobo, payerFeeKobo, account }: Withdrawal,
  order: { readonly kobo: number; readonly accountNumber: string; readonly bankCode: string },
  partKobo = 0n,
): boolean {
  const isSameAccount = account.accountNumber === order.accountNumber && account.bankCode === order.bankCode;
  return isSameAccount && kobo + payerFeeKobo + partKobo === BigInt(order.kobo);
}

export function toBankAccount({ bankCode, bankName, accountNumber, accountName }: BankAccount): BankAccount {
  return { bankCode, bankName, accountNumber, accountName };
}
