import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import { toPaymentMoney } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByReference, loadUncheckedPayouts } from "../store/payment-store.ts";

/**
 * Verifies paid transfers by reference once they are older than the compared period: a bank can
 * return one weeks later, and the webhook about it may be lost.
 */
interface PayoutRecheck {
  /** Replaces the queue by the transfers that are due, the longest unverified first. */
  refill(now: Instant, paidBefore: Instant): Promise<void>;
  /** Verifies the next few, until the provider is silent. Returns how many moved coins. */
  run(): Promise<number>;
}

interface PayoutRecheckDeps {
  readonly database: Database;
  readonly paystack: Pick<Paystack, "verifyTransfer">;
  readonly updater: Pick<PaymentUpdater, "apply">;
  readonly isClosed: () => boolean;
}

/** As long as a bank may take to return a transfer, generously. */
const RETURNABLE_MS = 90 * DAY_MS;
/** The daily comparison after it makes that about a week. */
const RECHECK_AFTER_MS = 6 * DAY_MS;
/** What is left over comes first on the next day. */
const QUEUED_MAX = 10_000;
/** Run once a minute, this verifies the longest queue within a day. */
const VERIFIED_PER_RUN = 10;

export function openPayoutRecheck({ database, paystack, updater, isClosed }: PayoutRecheckDeps): PayoutRecheck {
  let queue: string[] = [];

  /** Null: the provider is silent. */
  async function recheck(reference: string): Promise<boolean | null> {
    const payment = await loadByReference(database.kysely, reference);
    // One with a next attempt is verified by the due loop.
    if (payment?.type !== "paid" || payment.nextAttemptAt !== null) return false;
    const answer = await paystack.verifyTransfer(reference);
    if (!answer.ok) return null;
    const report = { type: "transfer", transfer: answer.value } as const;
    const applied = await updater.apply({ reference, report, asOfRequest: payment });
    return applied !== null && toPaymentMoney(applied.payment) !== toPaymentMoney(payment);
  }

  return {
    async refill(now, paidBefore) {
      const since = addMs(now, -RETURNABLE_MS);
      const bounds = { since, until: paidBefore, checkedBefore: addMs(now, -RECHECK_AFTER_MS) };
      queue = [...(await loadUncheckedPayouts(database.kysely, bounds, QUEUED_MAX))];
    },
    async run() {
      let settled = 0;
      for (let count = 0; count < VERIFIED_PER_RUN && !isClosed(); count += 1) {
        const reference = queue.shift();
        const hasMoved = reference === undefined ? null : await recheck(reference);
        if (hasMoved === null) break;
        if (hasMoved) settled += 1;
      }
      return settled;
    },
  };
}
