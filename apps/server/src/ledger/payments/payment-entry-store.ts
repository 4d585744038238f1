import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { AccountKind } from "../journal/journal-entry.ts";
import type { Position } from "./positions.ts";

export interface Booked {
  /** A player's wallet and debts together. */
  readonly position: Position;
  readonly isPaid: boolean;
}

/**
 * What is booked for the payment in total. `newestFact`: the number of its newest fact, since
 * entries are named after facts.
 */
export async function loadBooked(queries: Queries, paymentId: PaymentId, newestFact: number): Promise<Booked> {
  const { rows } = await sql<{
    readonly kind: AccountKind;
    readonly owner: string;
    readonly amount: Coins;
    readonly is_paid: boolean;
  }>`
    select case account.kind when 'debts' then 'wallet' else account.kind end as kind, account.owner,
      sum(posting.amount)::bigint as amount, bool_or(entry.kind = 'withdrawal_paid') as is_paid
    from ledger_entries entry
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where entry.kind in ('deposit', 'deposit_taken', 'correction', 'withdrawal', 'withdrawal_paid', 'withdrawal_return')
      and entry.source = any (${toSources(paymentId, newestFact)}::text[])
    group by 1, 2`.execute(queries);
  return {
    position: rows.map(({ kind, owner, amount }) => ({ account: { kind, owner }, amount })),
    isPaid: rows.some(({ is_paid: isPaid }) => isPaid),
  };
}

function toSources(paymentId: PaymentId, newestFact: number): readonly string[] {
  return [paymentId, ...Array.from({ length: newestFact }, (_, index) => `${paymentId}:${index + 1}`)];
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
