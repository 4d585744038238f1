import type { Database } from "../../platform/database/database.ts";
import { isDeposit, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ListedRefund, ProviderCharge } from "../provider/provider-status.ts";
import type { Settler } from "../settlement/settler.ts";
import { loadByProviderIds, loadByReference } from "../store/payment-store.ts";
import type { Difference } from "./compare-payment.ts";

interface CompareRefundsDeps {
  readonly database: Database;
  readonly paystack: Pick<Paystack, "verifyCharge" | "listRefunds">;
  readonly settler: Settler;
}

/** What the comparison recorded, and refunds that belong to no payment. */
interface ComparedRefunds {
  readonly settled: number;
  readonly differences: readonly Difference[];
}

/**
 * Records refunds of credited deposits whose webhooks were lost; null without an answer. The list
 * is incomplete for a charge, so its refunded total is queried. `charges` names the references.
 */
export async function compareRefunds(
  deps: CompareRefundsDeps,
  refunds: readonly ListedRefund[],
  charges: readonly ProviderCharge[],
): Promise<ComparedRefunds | null> {
  const processed = refunds.filter(({ status }) => status === "processed");
  const references = await findReferences(deps.database, processed, charges);
  const differences: Difference[] = [];
  const own = new Set<string>();
  for (const refund of processed) {
    const reference = refund.reference ?? references.get(refund.chargeId ?? "") ?? null;
    if (reference === null) differences.push(toUnknown(refund, `charge ${refund.chargeId}`));
    else own.add(reference);
  }
  let settled = 0;
  for (const reference of own) {
    const payment = await loadByReference(deps.database.kysely, reference);
    if (payment === null) {
      const refund = processed.find((one) => (one.reference ?? references.get(one.chargeId ?? "")) === reference);
      if (refund !== undefined) differences.push(toUnknown(refund, reference));
      continue;
    }
    const isRecorded = await recordRefunds(deps, payment);
    if (isRecorded === null) return null;
    if (isRecorded) settled += 1;
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

async function recordRefunds({ paystack, settler }: CompareRefundsDeps, payment: Payment): Promise<boolean | null> {
  if (!isDeposit(payment) || payment.type !== "credited") return false;
  const { reference } = payment;
  const answer = await paystack.verifyCharge(reference);
  if (!answer.ok || answer.value === null) return null;
  const listed = await paystack.listRefunds(answer.value);
  if (!listed.ok) return null;
  const report = { type: "charge", charge: answer.value, source: "answer", refunds: listed.value } as const;
  const settled = await settler.settle({ reference, report, asOfRequest: payment });
  const after = settled?.payment ?? payment;
  return after.type === "credited" ? after.refundedKobo > payment.refundedKobo : true;
}
