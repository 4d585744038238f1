import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByReferences } from "../store/payment-store.ts";
import type { PayoutHold } from "../withdrawal/payout-hold-store.ts";
import { type Compared, compareListed, isOfKind, PAGES_MAX } from "./compare-listed.ts";
import { type Difference, REVERSIBLE_MS } from "./compare-payment.ts";

/**
 * Charges older than the compared period. Only webhooks report their changes, and those since a
 * backup are lost with a restore.
 */
interface OlderCharges {
  /**
   * Settles and compares known charges begun before `until`. Null if the provider is silent: the
   * next call about the same hold continues there.
   */
  compare(hold: Pick<PayoutHold, "fromAt">, until: Instant): Promise<Compared | null>;
}

interface OlderChargesDeps {
  readonly database: Database;
  readonly paystack: Pick<Paystack, "listCharges">;
  readonly updater: Pick<PaymentUpdater, "apply">;
  readonly isClosed: () => boolean;
}

interface Progress {
  readonly since: Instant;
  /** The next page; null: all are compared. */
  page: number | null;
  settled: number;
  readonly differences: Map<string, Difference>;
}

export function openOlderCharges({ database, paystack, updater, isClosed }: OlderChargesDeps): OlderCharges {
  let progress: Progress | null = null;

  return {
    async compare({ fromAt }, until) {
      if (progress?.since !== fromAt) progress = { since: fromAt, page: 1, settled: 0, differences: new Map() };
      const { differences } = progress;
      const current = progress;
      const from = addMs(until, -REVERSIBLE_MS);
      // Its own counter: another comparison may run at the same time.
      for (let page = current.page; page !== null && page <= PAGES_MAX && !isClosed(); ) {
        const answer = await paystack.listCharges({ from, to: until, page });
        if (!answer.ok) return null;
        const { items, isLast } = answer.value;
        const references = items.map(({ reference }) => reference);
        const known = new Map(
          (await loadByReferences(database.kysely, references)).map((payment) => [payment.reference, payment]),
        );
        for (const item of items) {
          const entry = { type: "charge", item } as const;
          const payment = known.get(item.reference);
          if (payment === undefined || !isOfKind(payment, entry)) continue;
          const { isSettled, difference } = await compareListed(updater, payment, entry);
          if (isSettled) current.settled += 1;
          if (difference !== null) differences.set(item.reference, difference);
        }
        page = isLast ? null : page + 1;
        if (current.page !== null) current.page = page === null ? null : Math.max(current.page, page);
      }
      return current.page === null ? { settled: current.settled, differences: [...differences.values()] } : null;
    },
  };
}
