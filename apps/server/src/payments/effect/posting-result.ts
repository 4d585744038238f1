import { assert } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { Result } from "@holo/kernel/result.ts";
import { type JournalConflict, type Posted, postProviderFee, type Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { type Payment, toPaymentMoney } from "../payment.ts";
import type { PaymentChange } from "../store/payment-store.ts";

export interface PostingResult {
  readonly change: PaymentChange;
  readonly wallets: readonly Wallet[];
  readonly alert: string | null;
}

export const ENDED = { nextAttemptAt: null, notFoundSince: null, attempts: 0 } as const;

export function toPaymentAmount({ id, reference, kobo, rateKobo }: Payment) {
  return { paymentId: id, reference, kobo, rateKobo };
}

export async function postFee(
  tx: Tx,
  payment: Payment,
  providerFeeKobo: Kobo | null,
  at: Instant,
): Promise<Pick<PaymentChange, "providerFeeKobo">> {
  if (providerFeeKobo === null) return {};
  const posted = await postProviderFee(tx, { ...toPaymentAmount(payment), kobo: providerFeeKobo, at });
  assert(posted.ok, `payment ${payment.id} has another provider fee`);
  return { providerFeeKobo };
}

/** The locked row states what was posted: a refused posting means that row and ledger disagree. */
export function assertPosted(posted: Result<Posted, JournalConflict>, payment: Payment): Posted {
  assert(
    posted.ok && !posted.value.replayed,
    `the ledger disagrees with payment ${payment.id}, which is ${toPaymentMoney(payment)}`,
  );
  return posted.value;
}
