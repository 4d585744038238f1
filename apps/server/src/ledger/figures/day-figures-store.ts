import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoins, toKobo } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";

export interface DayFigures {
  /** YYYY-MM-DD in Lagos. */
  readonly day: string;
  readonly games: number;
  readonly revenue: Coins;
  /** Credited deposits, including those reversed later. */
  readonly deposits: Kobo;
  /** Paid withdrawals of players, including those reversed later. */
  readonly withdrawals: Kobo;
}

/** Lagos is one hour ahead of UTC all year, since 1919. */
export const LAGOS_AHEAD_MS = 3_600_000;

/**
 * The days since `from` (the start of a day in Lagos) that have figures, oldest first. The CTE
 * keeps the planner off the indexes on kind and revenue, which grow with every game.
 */
export async function loadDayFigures(queries: Queries, from: Instant): Promise<readonly DayFigures[]> {
  const { rows } = await sql<{
    readonly day: string;
    readonly games: number;
    readonly revenue: bigint;
    readonly deposits: bigint;
    readonly withdrawals: bigint;
  }>`
    with entry as materialized (
      select id, kind, source, at,
        case when kind in ('deposit', 'withdrawal_paid') then (details::jsonb ->> 'kobo')::bigint end as kobo
      from ledger_entries where at >= ${toTimestamp(from)}
    ), revenue as (
      select id from ledger_accounts where kind = 'revenue' and owner = ''
    )
    select day::text, count(*) filter (where kind in ('win', 'draw'))::int as games,
      coalesce(sum(fee), 0)::bigint as revenue,
      coalesce(sum(kobo) filter (where kind = 'deposit'), 0)::bigint as deposits,
      coalesce(sum(kobo) filter (where kind = 'withdrawal_paid'), 0)::bigint as withdrawals
    from (
      select (entry.at at time zone interval '01:00')::date as day, entry.kind, entry.kobo,
        case when entry.kind in ('win', 'draw') then (
          select posting.amount from ledger_postings posting
          where posting.entry_id = entry.id and posting.account_id = (select id from revenue)) end as fee
      from entry
      where entry.kind in ('win', 'draw', 'deposit') or entry.kind = 'withdrawal_paid' and (
        select true from ledger_entries taken join ledger_postings posting on posting.entry_id = taken.id
          join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
        where taken.kind = 'withdrawal' and taken.source = entry.source)) counted
    group by day order by day`.execute(queries);
  return rows.map(({ day, games, revenue, deposits, withdrawals }) => ({
    day,
    games,
    revenue: toCoins(revenue),
    deposits: toKobo(deposits),
    withdrawals: toKobo(withdrawals),
  }));
}
