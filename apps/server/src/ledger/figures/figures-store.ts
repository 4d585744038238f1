import { type Coins, type Kobo, toCoins, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** All credits and debits of the platform's revenue account. */
export async function loadRevenueFlows(
  queries: Queries,
): Promise<{ readonly earned: Coins; readonly withdrawn: Coins }> {
  const { rows } = await sql<{ readonly earned: Coins; readonly withdrawn: Coins }>`
    select coalesce(sum(posting.amount) filter (where entry.kind in ('win', 'draw')), 0)::bigint as earned,
      coalesce(-sum(posting.amount) filter (where entry.kind not in ('win', 'draw')), 0)::bigint as withdrawn
    from ledger_accounts account
    join ledger_postings posting on posting.account_id = account.id
    join ledger_entries entry on entry.id = posting.entry_id
    where account.kind = 'revenue'`.execute(queries);
  return rows[0] ?? { earned: ZERO_COINS, withdrawn: ZERO_COINS };
}

/** Coins held for withdrawals, and the kobo they will become. */
export interface OnTheWay {
  readonly coins: Coins;
  readonly kobo: Kobo;
}

/** Holds of withdrawals that have not ended: of players, and of the platform's revenue. */
export async function loadOnTheWay(
  queries: Queries,
): Promise<{ readonly players: OnTheWay; readonly revenue: OnTheWay }> {
  const { rows } = await sql<{ readonly kind: string; readonly coins: Coins; readonly kobo: bigint }>`
    select hold.kind, sum(posting.amount)::bigint as coins, sum((hold.details::jsonb ->> 'kobo')::bigint)::bigint as kobo
    from ledger_entries hold
    join ledger_postings posting on posting.entry_id = hold.id and posting.amount > 0
    where hold.kind in ('withdrawal_hold', 'revenue_withdrawal') and not exists (
      select from ledger_entries ended where ended.source = hold.source
        and ended.kind in ('withdrawal_return', 'revenue_return', 'withdrawal_paid'))
    group by hold.kind`.execute(queries);
  const of = (kind: string): OnTheWay => {
    const { coins, kobo } = rows.find((row) => row.kind === kind) ?? { coins: 0n, kobo: 0n };
    return { coins: toCoins(coins), kobo: toKobo(kobo) };
  };
  return { players: of("withdrawal_hold"), revenue: of("revenue_withdrawal") };
}
