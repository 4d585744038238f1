import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { RATE_KEPT_MS } from "@holo/protocol/payments/payment-terms.ts";
import type { DepositStep } from "../core/deposit-state.ts";
import { makePaymentBase, type NewPaymentFields, type PaymentBase } from "../payment-base.ts";

/** A deposit's order, and what follows from its facts (`core/deposit-state.ts`). */
export interface Deposit extends PaymentBase {
  readonly kind: "deposit";
  /** The provider's fee that the payer pays on top; 0 if the platform bears it (ruling 10). */
  readonly payerFeeKobo: Kobo;
  readonly authorizationUrl: string | null;
  readonly step: DepositStep;
  readonly inKobo: Kobo;
  readonly backKobo: Kobo;
  /** The part whose coins the player has, and the most they ever had. */
  readonly keptKobo: Kobo;
  readonly creditedKobo: Kobo;
  /** The provider's fee that the player bore for a refund to the card. */
  readonly borneFeeKobo: Kobo;
  /** The rate at which it was credited; null before. */
  readonly creditRateKobo: number | null;
}

export function makeDeposit(given: NewPaymentFields & { readonly payerFeeKobo: Kobo }): Deposit {
  const { payerFeeKobo, ...fields } = given;
  const none = toKobo(0n);
  return {
    ...makePaymentBase("deposit", fields, "pending"),
    kind: "deposit",
    payerFeeKobo,
    authorizationUrl: null,
    step: "open",
    inKobo: none,
    backKobo: none,
    keptKobo: none,
    creditedKobo: none,
    borneFeeKobo: none,
    creditRateKobo: null,
  };
}

export function toRequestedKobo({ kobo, payerFeeKobo }: Pick<Deposit, "kobo" | "payerFeeKobo">): Kobo {
  return toKobo(kobo + payerFeeKobo);
}

/** Until when it keeps the exchange rate that its player was shown (ruling 35). */
export function toRateEndAt({ createdAt }: Pick<Deposit, "createdAt">): Instant {
  return addMs(createdAt, RATE_KEPT_MS);
}

/**
 * The deposit's own rate if it was paid in time, else that of the payment (ruling 35). A longer
 * promise would be an option on the rate.
 */
export function toCreditRate(
  deposit: Pick<Deposit, "createdAt" | "rateKobo">,
  { paidAt, rateAtPaymentKobo }: { readonly paidAt: Instant; readonly rateAtPaymentKobo: number },
): number {
  return paidAt <= toRateEndAt(deposit) ? deposit.rateKobo : rateAtPaymentKobo;
}

/** What it credited, or will credit. */
export function toDepositCoins({ coins, kobo, rateKobo, creditedKobo, creditRateKobo }: Deposit): Coins {
  const rate = creditRateKobo ?? rateKobo;
  if (creditedKobo > 0n) return toCoinsIn(creditedKobo, rate);
  return rate === rateKobo ? coins : toCoinsIn(kobo, rate);
}

export function isPayable(deposit: Deposit): deposit is Deposit & { readonly authorizationUrl: string } {
  const isOpen = deposit.step === "open" && (deposit.status === "pending" || deposit.status === "abandoned");
  return isOpen && deposit.authorizationUrl !== null && deposit.nextAskAt !== null;
}
