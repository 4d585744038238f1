import type { Payment } from "../payment.ts";
import type { StoredFact } from "./fact-store.ts";

/** What staff are told about new facts. A dispute is told at once (ruling 60). */
export function toAlerts(
  payment: Payment,
  known: readonly StoredFact[],
  news: readonly StoredFact[],
): readonly string[] {
  return news.flatMap((stored, index) => toAlert(payment, [...known, ...news.slice(0, index)], stored) ?? []);
}

function toAlert(payment: Payment, before: readonly StoredFact[], { fact, auditEventId }: StoredFact): string | null {
  switch (fact.type) {
    case "to_staff":
      return fact.why;
    case "dispute": {
      const isNew = !before.some((known) => known.fact.type === "dispute" && known.fact.id === fact.id);
      return isNew && fact.stage !== "won" ? "deposit_disputed" : null;
    }
    case "posted": {
      const newest = before.findLast((known) => known.fact.type === "posted")?.fact;
      const isTaken = newest?.type === "posted" && newest.keptKobo > fact.keptKobo && auditEventId === null;
      const last = before.at(-1)?.fact;
      const isOwnRefund = last?.type === "refund_sent" && last.cause === "player";
      return isTaken && !isOwnRefund ? (fact.keptKobo === 0n ? "deposit_reversed" : "deposit_refunded") : null;
    }
    case "returned":
      return payment.step === "paid" ? "transfer_reversed" : null;
    case "transfer": {
      const newest = before.findLast((known) => known.fact.type === "transfer")?.fact;
      const wasOtp = newest?.type === "transfer" && newest.outcome === "otp";
      return fact.outcome === "otp" && !wasOtp ? "transfer_otp" : null;
    }
    default:
      return null;
  }
}
