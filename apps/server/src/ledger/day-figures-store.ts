import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toKobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../platform/database.ts";
import { toTimestamp } from "../platform/timestamp.ts";

/** A day of the house, by its entries. */
export interface DayFigures {
  /** YYYY-MM-DD, in Lagos. */
  readonly day: string;
  /** Games that ended by win or draw. */
  readonly games: number;
  /** The fees of these. */
  readonly revenue: Coins;
  /** What arrived and was credited; what was taken back later is still in it. */
  readonly deposits: Kobo;
  /** What players were sent, by the provider's word; what came back later is still in it. */
  readonly withdrawals: Kobo;
}

/** Lagos is an hour ahead of UTC all year, and has been since 1919. */
export const LAGOS_AHEAD_MS = 3_600_000;

/**
 * Each day from one instant on that has any of these, the oldest first. Reads the entries since then, and of games their posting to
 * revenue.
 *
 * @param from the start of a day in Lagos
 */
export async function loadDayFigures(queries: Queries, from: Instant): Promise<readonly DayFigures[]> {
  const { rows } = await sql<{
    readonly day: string;
    readonly games: number;
    readonly revenue: bigint;
    readonly deposits: bigint;
    readonly withdrawals: bigint;
  }>`
    select (entry.at at time zone interval '01:00')::date::text as day,
      count(*) filter (where entry.kind in ('win', 'draw'))::int as games,
      coalesce(sum(fee.amount), 0)::bigint as revenue,
      coalesce(sum((entry.details::jsonb ->> 'kobo')::bigint) filter (where entry.kind = 'deposit'), 0)::bigint as deposits,
      coalesce(sum((entry.details::jsonb ->> 'kobo')::bigint) filter (where entry.kind = 'withdrawal_paid'), 0)::bigint as withdrawals
    from ledger_entries entry
    left join ledger_postings fee on fee.entry_id = entry.id and entry.kind in ('win', 'draw')
      and fee.account_id = (select id from ledger_accounts where kind = 'revenue' and owner = '')
    where entry.at >= ${toTimestamp(from)} and (entry.kind in ('win', 'draw', 'deposit')
      or entry.kind = 'withdrawal_paid' and exists (
        select from ledger_entries hold where hold.kind = 'withdrawal_hold' and hold.source = entry.source))
    group by 1 order by 1`.execute(queries);
  return rows.map(({ day, games, revenue, deposits, withdrawals }) => ({
    day,
    games,
    revenue: toCoins(revenue),
    deposits: toKobo(deposits),
    withdrawals: toKobo(withdrawals),
  }));
}
