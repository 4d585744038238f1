import { addCoins, type Coins, type Kobo, subtractCoins, toCoins, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { loadTotals } from "../journal/journal-store.ts";
import { decideRevenueLeft } from "../payments/other-entries.ts";

interface RevenueFigures {
  readonly earned: Coins;
  readonly withdrawn: Coins;
  readonly onTheWay: Coins;
  /** What may be withdrawn now (ruling 10). */
  readonly withdrawable: Coins;
}

export interface OwedFigures {
  readonly coins: Coins;
  /** Wallets and escrow, to be converted at the current exchange rate. */
  readonly held: Coins;
  /** Withdrawals on their way, each at its own kobo amount. */
  readonly onTheWayKobo: Kobo;
}

export async function loadRevenueFigures(queries: Queries): Promise<RevenueFigures> {
  const [withdrawn, { revenue }, totals] = [
    await loadRevenueWithdrawn(queries),
    await loadOnTheWay(queries),
    await loadTotals(queries),
  ];
  return {
    earned: addCoins(totals.get("revenue") ?? ZERO_COINS, withdrawn),
    withdrawn: subtractCoins(withdrawn, revenue.coins),
    onTheWay: revenue.coins,
    withdrawable: decideRevenueLeft(totals),
  };
}

export async function loadOwedFigures(queries: Queries): Promise<OwedFigures> {
  const [totals, { players }] = [await loadTotals(queries), await loadOnTheWay(queries)];
  const held = addCoins(totals.get("wallet") ?? ZERO_COINS, totals.get("escrow") ?? ZERO_COINS);
  return { coins: addCoins(held, players.coins), held, onTheWayKobo: players.kobo };
}

async function loadRevenueWithdrawn(queries: Queries): Promise<Coins> {
  const { rows } = await sql<{ readonly withdrawn: Coins }>`
    select coalesce(-sum((
      select posting.amount from ledger_postings posting
      where posting.entry_id = entry.id
        and posting.account_id = (select id from ledger_accounts where kind = 'revenue' and owner = ''))), 0)::bigint as withdrawn
    from ledger_entries entry where entry.kind in ('withdrawal', 'withdrawal_return', 'correction')`.execute(queries);
  return rows[0]?.withdrawn ?? ZERO_COINS;
}

interface OnTheWay {
  readonly coins: Coins;
  readonly kobo: Kobo;
}

/**
 * Withdrawals whose coins are neither paid nor back. Causes are compared within their index, so
 * only the few remaining rows are read.
 */
async function loadOnTheWay(queries: Queries): Promise<{ readonly players: OnTheWay; readonly revenue: OnTheWay }> {
  const { rows } = await sql<{ readonly is_revenue: boolean; readonly coins: Coins; readonly kobo: bigint }>`
    with open as materialized (
      select source from ledger_entries begun
      where kind = 'withdrawal'
        and not exists (select from ledger_entries paid where paid.kind = 'withdrawal_paid' and paid.source = begun.source)
        and not exists (select from ledger_entries back where back.kind in ('withdrawal_return', 'correction')
          and back.source between begun.source || ':0' and begun.source || ':9' || repeat('9', 9)))
    select begun.is_revenue, sum(begun.coins)::bigint as coins, sum(begun.kobo)::bigint as kobo
    from open cross join lateral (
      select (entry.details::jsonb ->> 'kobo')::bigint as kobo, (
        select posting.amount from ledger_postings posting join ledger_accounts account on account.id = posting.account_id
        where posting.entry_id = entry.id and account.kind = 'withdrawal_clearing') as coins,
        exists (select from ledger_postings posting join ledger_accounts account on account.id = posting.account_id
          where posting.entry_id = entry.id and account.kind = 'revenue') as is_revenue
      from ledger_entries entry where entry.kind = 'withdrawal' and entry.source = open.source limit 1) as begun
    group by begun.is_revenue`.execute(queries);
  const of = (isRevenue: boolean): OnTheWay => {
    const { coins, kobo } = rows.find((row) => row.is_revenue === isRevenue) ?? { coins: 0n, kobo: 0n };
    return { coins: toCoins(coins), kobo: toKobo(kobo) };
  };
  return { players: of(false), revenue: of(true) };
}
