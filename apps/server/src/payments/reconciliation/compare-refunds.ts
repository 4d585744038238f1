import type { Database } from "../../platform/database/database.ts";
import { toRefundedKobo } from "../deposit/decide-deposit.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import { isDeposit, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ListedRefund, ProviderCharge } from "../provider/provider-status.ts";
import { loadByProviderIds, loadByReference } from "../store/payment-store.ts";
import type { Difference } from "./compare-payment.ts";

interface CompareRefundsDeps {
  readonly database: Database;
  readonly paystack: Pick<Paystack, "verifyCharge" | "listRefunds">;
  readonly updater: PaymentUpdater;
}

/** What the comparison recorded, and refunds that belong to no payment. */
interface ComparedRefunds {
  readonly settled: number;
  readonly differences: readonly Difference[];
}

/**
 * Records refunds, and failures of finished ones, whose webhooks were lost; null without an answer.
 * The list may lack some of a charge, so all are queried. `charges` names the references.
 */
export async function compareRefunds(
  deps: CompareRefundsDeps,
  refunds: readonly ListedRefund[],
  charges: readonly ProviderCharge[],
): Promise<ComparedRefunds | null> {
  const ended = refunds.filter(({ status }) => status !== "open");
  const references = await findReferences(deps.database, ended, charges);
  const findReference = ({ reference, chargeId }: ListedRefund) => reference ?? references.get(chargeId ?? "") ?? null;
  const processed = ended.filter(({ status }) => status === "processed");
  const nameless = processed.filter((refund) => findReference(refund) === null);
  const differences = nameless.map((refund) => toUnknown(refund, `charge ${refund.chargeId}`));
  const own = new Set(ended.map(findReference).filter((reference) => reference !== null));
  let settled = 0;
  for (const reference of own) {
    const payment = await loadByReference(deps.database.kysely, reference);
    if (payment === null) {
      const refund = processed.find((one) => findReference(one) === reference);
      if (refund !== undefined) differences.push(toUnknown(refund, reference));
      continue;
    }
    const recorded = await recordRefunds(deps, payment);
    if (recorded === null) return null;
    if (recorded.isSettled) settled += 1;
    if (recorded.keptKobo > 0n) differences.push({ type: "kept_charge", reference, kobo: String(recorded.keptKobo) });
  }
  return { settled, differences };
}

function toUnknown({ amount }: ListedRefund, reference: string): Difference {
  return { type: "unknown_refund", reference, kobo: String(amount) };
}

async function findReferences(
  { kysely }: Database,
  refunds: readonly ListedRefund[],
  charges: readonly ProviderCharge[],
): Promise<ReadonlyMap<string, string>> {
  const references = new Map(charges.map(({ id, reference }) => [id, reference]));
  const ids = refunds.map(({ chargeId }) => chargeId).filter((id) => id !== null && !references.has(id)) as string[];
  if (ids.length === 0) return references;
  return new Map([...references, ...(await loadByProviderIds(kysely, ids))]);
}

interface RecordedRefunds {
  readonly isSettled: boolean;
  /** The part of a deposit that staff allocated and whose refund failed afterwards. */
  readonly keptKobo: bigint;
}

async function recordRefunds(
  { paystack, updater }: CompareRefundsDeps,
  payment: Payment,
): Promise<RecordedRefunds | null> {
  if (!isDeposit(payment) || (payment.type !== "credited" && payment.type !== "refunded")) {
    return { isSettled: false, keptKobo: 0n };
  }
  const { reference } = payment;
  const answer = await paystack.verifyCharge(reference);
  if (!answer.ok || answer.value === null) return null;
  const charge = answer.value;
  const listed = await paystack.listRefunds(charge);
  if (!listed.ok) return null;
  const report = { type: "charge", charge, refunds: listed.value } as const;
  const after = (await updater.apply({ reference, report, asOfRequest: payment }))?.payment ?? payment;
  if (payment.type === "refunded" || after.type !== "credited") {
    return { isSettled: after.type !== payment.type, keptKobo: 0n };
  }
  // A whole deposit is compared with its charge.
  const isPart = after.allocatedKobo < after.kobo;
  const keptKobo = isPart ? after.allocatedKobo - toRefundedKobo(after, charge, listed.value) : 0n;
  return { isSettled: after.refundedKobo > payment.refundedKobo, keptKobo };
}
