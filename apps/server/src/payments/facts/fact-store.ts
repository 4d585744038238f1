import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { type DepositFact, type DepositState, foldDeposit, NEW_DEPOSIT } from "../core/deposit-state.ts";
import { foldWithdrawal, NEW_WITHDRAWAL, type WithdrawalFact, type WithdrawalState } from "../core/withdrawal-state.ts";

export type PaymentFact = DepositFact | WithdrawalFact;

/** A fact as it is stored. Which columns it has follows from its type. */
export interface StoredFact {
  readonly number: number;
  readonly at: Instant;
  readonly fact: PaymentFact;
  /** The act of staff that it is; null for any other. */
  readonly auditEventId: bigint | null;
}

interface FactColumns {
  readonly type: PaymentFact["type"];
  readonly outcome: string | null;
  readonly kobo: bigint | null;
  readonly back_kobo: bigint | null;
  readonly fee_kobo: bigint | null;
  readonly rate_kobo: number | null;
  readonly refund: string | null;
  readonly provider_id: string | null;
  readonly channel: string | null;
  /**
   * An instant that the provider names: when it was paid, or until when a dispute can be answered.
   */
  readonly named_at: bigint | null;
}

const NONE = {
  outcome: null,
  kobo: null,
  back_kobo: null,
  fee_kobo: null,
  rate_kobo: null,
  refund: null,
  provider_id: null,
  channel: null,
  named_at: null,
};

function toColumns(fact: PaymentFact): FactColumns {
  const { type } = fact;
  const toNamed = (at: Instant | null): bigint | null => (at === null ? null : BigInt(at));
  switch (type) {
    case "charge": {
      const { outcome, kobo, backKobo, refund, feeKobo, providerId, channel, paidAt } = fact;
      const money = { kobo, back_kobo: backKobo, fee_kobo: feeKobo };
      return { ...NONE, type, outcome, ...money, refund, provider_id: providerId, channel, named_at: toNamed(paidAt) };
    }
    case "dispute":
      return { ...NONE, type, outcome: fact.stage, provider_id: fact.id, named_at: toNamed(fact.dueAt) };
    case "posted":
      return { ...NONE, type, kobo: fact.keptKobo, rate_kobo: fact.rateKobo };
    case "refund_sent":
      return { ...NONE, type, kobo: fact.kobo, outcome: fact.cause, fee_kobo: fact.borneFeeKobo };
    case "wrote_off":
      return { ...NONE, type, kobo: fact.kobo };
    case "transfer": {
      const { outcome, kobo, feeKobo: fee_kobo, providerId: provider_id } = fact;
      return { ...NONE, type, outcome, kobo, fee_kobo, provider_id };
    }
    case "returned":
      return { ...NONE, type, outcome: fact.cause };
    case "to_staff":
    case "waits":
    case "unsent":
      return { ...NONE, type, outcome: fact.why };
    default:
      return { ...NONE, type };
  }
}

function toFact(row: FactColumns): PaymentFact {
  const { type, outcome, kobo, back_kobo: backKobo, fee_kobo: feeKobo, refund, provider_id: providerId } = row;
  const { channel } = row;
  const namedAt = row.named_at === null ? null : toInstant(Number(row.named_at));
  switch (type) {
    case "charge":
      return { type, outcome, kobo, backKobo, feeKobo, refund, providerId, channel, paidAt: namedAt } as PaymentFact;
    case "dispute":
      return { type, id: providerId, stage: outcome, dueAt: namedAt } as PaymentFact;
    case "posted":
      assert(kobo !== null, "a posted fact without its sum");
      return { type, keptKobo: kobo, rateKobo: row.rate_kobo };
    case "refund_sent":
      return { type, kobo, cause: outcome, borneFeeKobo: feeKobo } as PaymentFact;
    case "returned":
      return { type, cause: outcome } as PaymentFact;
    case "transfer":
      return { type, outcome, kobo, feeKobo, providerId } as PaymentFact;
    case "wrote_off":
      return { type, kobo } as PaymentFact;
    case "to_staff":
    case "waits":
    case "unsent":
      return { type, why: outcome } as PaymentFact;
    default:
      return { type } as PaymentFact;
  }
}

/** Whether the provider said this before: an unchanged answer is not stored again. */
export function isKnown(facts: readonly StoredFact[], fact: PaymentFact): boolean {
  if (fact.type === "waits") {
    const newest = facts.at(-1)?.fact;
    return (newest?.type === "waits" || newest?.type === "unsent") && newest.why === fact.why;
  }
  if (fact.type !== "charge" && fact.type !== "transfer" && fact.type !== "dispute") return false;
  const isSameCase = (known: PaymentFact) =>
    known.type === fact.type && (fact.type !== "dispute" || (known.type === "dispute" && known.id === fact.id));
  const newest = facts.findLast((stored) => isSameCase(stored.fact));
  // An order sent since then makes the same answer news.
  const ordered = facts.findLast((stored) => stored.fact.type === "sent");
  if (newest === undefined || (fact.type === "transfer" && (ordered?.number ?? 0) > newest.number)) return false;
  const [before, after] = [toColumns(newest.fact), toColumns(fact)];
  return Object.entries(after).every(([name, value]) => before[name as keyof FactColumns] === value);
}

/** Oldest first. */
export async function loadFacts(queries: Queries, paymentId: PaymentId): Promise<readonly StoredFact[]> {
  const { rows } = await sql<
    FactColumns & { readonly number: number; readonly at: bigint; readonly audit_event_id: bigint | null }
  >`
    select number, at, type, outcome, kobo, back_kobo, fee_kobo, rate_kobo, refund, provider_id, channel, named_at, audit_event_id
    from payment_facts where payment_id = ${paymentId} order by number`.execute(queries);
  return rows.map((row) => ({
    number: row.number,
    at: toInstant(Number(row.at)),
    fact: toFact(row),
    auditEventId: row.audit_event_id,
  }));
}

/** `facts` are those of a deposit. */
export function foldDeposits(facts: readonly StoredFact[]): DepositState {
  return facts.reduce((state, { fact, at }) => foldDeposit(state, fact as DepositFact, at), NEW_DEPOSIT);
}

/** `facts` are those of a withdrawal. */
export function foldWithdrawals(facts: readonly StoredFact[]): WithdrawalState {
  return facts.reduce((state, { fact, at }) => foldWithdrawal(state, fact as WithdrawalFact, at), NEW_WITHDRAWAL);
}

/** The caller holds the payment's lock. */
export async function saveFact(
  tx: Tx,
  paymentId: PaymentId,
  { number, at, fact, auditEventId }: StoredFact,
): Promise<void> {
  const row = toColumns(fact);
  await sql`
    insert into payment_facts (payment_id, number, at, type, outcome, kobo, back_kobo, fee_kobo, rate_kobo, refund, provider_id, channel,
      named_at, audit_event_id)
    values (${paymentId}, ${number}, ${at}, ${row.type}, ${row.outcome}, ${row.kobo}, ${row.back_kobo}, ${row.fee_kobo}, ${row.rate_kobo},
      ${row.refund}, ${row.provider_id}, ${row.channel}, ${row.named_at}, ${auditEventId})`.execute(tx);
}
