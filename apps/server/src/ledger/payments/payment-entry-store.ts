import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { AccountKind, JournalEntryKind } from "../journal/journal-entry.ts";
import type { PaymentJournalEntry } from "./decide-deposit-entry.ts";

/** After all amounts in every collation; a tilde precedes them in most, but not in "C". */
const LAST_KOBO = "9".repeat(18);

export async function loadPaymentEntries(
  queries: Queries,
  paymentId: PaymentId,
): Promise<readonly PaymentJournalEntry[]> {
  const reversed = `${paymentId}:reversed`;
  const { rows } = await sql<{
    readonly id: bigint;
    readonly kind: JournalEntryKind;
    readonly source: string;
    readonly details: string;
    readonly account: AccountKind;
    readonly owner: string;
    readonly amount: Coins;
  }>`
    select entry.id, entry.kind, entry.source, entry.details, account.kind as account, account.owner, posting.amount
    from ledger_entries entry
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where (entry.kind, entry.source) in (('deposit', ${paymentId}), ('deposit_reversal', ${paymentId}),
      ('deposit_return', ${paymentId}),
      ('withdrawal_hold', ${paymentId}), ('withdrawal_fee', ${paymentId}), ('withdrawal_fee_return', ${paymentId}),
      ('withdrawal_return', ${paymentId}), ('withdrawal_return', ${reversed}),
      ('withdrawal_paid', ${paymentId}), ('revenue_withdrawal', ${paymentId}), ('revenue_return', ${paymentId}),
      ('revenue_return', ${reversed}), ('correction', ${`${paymentId}:late-success`}), ('correction', ${reversed}),
      ('correction', ${`${paymentId}:excess`}), ('correction', ${`${paymentId}:excess-reversed`}),
      ('provider_fee', ${`${paymentId}:fee`}))
      or (entry.kind = 'deposit_sent_back' and entry.source between ${`${paymentId}:0`} and ${`${paymentId}:${LAST_KOBO}`})
    order by entry.id, posting.amount, account.id`.execute(queries);
  const byId = Map.groupBy(rows, ({ id }) => id);
  return [...byId.values()].map((lines) => ({
    kind: lines[0]!.kind,
    source: lines[0]!.source,
    details: JSON.parse(lines[0]!.details) as PaymentJournalEntry["details"],
    postings: lines.map(({ account, owner, amount }) => ({ account: { kind: account, owner }, amount })),
  }));
}

/** Omits players without debts. Changes only under the wallet's lock. */
export async function loadDebts(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Coins>> {
  const { rows } = await sql<{ readonly owner: PlayerId; readonly debt: Coins }>`
    select account.owner, (-sum(posting.amount))::bigint as debt
    from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
    where account.kind = 'debts' and account.owner = any(${playerIds}::text[])
    group by account.owner having sum(posting.amount) < 0`.execute(queries);
  return new Map(rows.map(({ owner, debt }) => [owner, debt]));
}

/** Serializes revenue withdrawals. Games do not wait: they do not write this row. */
export async function lockRevenue(tx: Tx): Promise<void> {
  await sql`select from ledger_accounts where kind = 'revenue' and owner = '' for no key update`.execute(tx);
}
