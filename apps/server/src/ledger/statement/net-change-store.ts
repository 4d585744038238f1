import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

/** The net effect of a completed deposit, game or debt repayment on a player. */
interface NetChange {
  readonly at: Instant;
  /** Never 0: positive for a deposit or win, negative for a loss. */
  readonly coins: Coins;
}

/** How far before a game's end its stakes are searched. No game lasts that long. */
const GAME_MAX_MS = 7 * 24 * 3_600_000;

/**
 * Net changes by deposits and games completed after `since`, in order (ruling 8). Excludes reversed
 * deposits, refunded games and withdrawals. What was taken back of a deposit lessens its own lot.
 */
export async function loadNetChanges(
  queries: Queries,
  playerId: PlayerId,
  since: Instant,
): Promise<readonly NetChange[]> {
  const { rows } = await sql<{ readonly at: Date; readonly coins: Coins }>`
    with wallet as (
      select id from ledger_accounts where kind = 'wallet' and owner = ${playerId}
    ), oldest as (
      -- Every 256th posting, from the newest to the first that is too old: a player of years has many.
      select sampled.entry_id as id from (
        select earlier.entry_id, row_number() over (order by earlier.entry_id desc) as number
        from ledger_postings earlier where earlier.account_id = (select id from wallet)
      ) sampled
      join ledger_entries old on old.id = sampled.entry_id
      where sampled.number % 256 = 0 and old.at < ${toTimestamp(addMs(since, -GAME_MAX_MS))}
      order by sampled.entry_id desc limit 1
    ), changes as (
      select settled.id, settled.at, stake.amount + coalesce(paid.amount, 0) as coins
      from wallet
      join ledger_postings stake on stake.account_id = wallet.id and stake.amount < 0
        and stake.entry_id > coalesce((select id from oldest), 0)
      join ledger_entries entry on entry.id = stake.entry_id and entry.kind = 'stake'
      join ledger_entries settled on settled.settled_game = split_part(entry.source, ':', 1) and settled.kind in ('win', 'draw')
      left join ledger_postings paid on paid.entry_id = settled.id and paid.account_id = wallet.id
      where settled.at > ${toTimestamp(since)}
      union all
      select entry.id, entry.at, case when entry.kind <> 'deposit' then posting.amount else posting.amount + coalesce((
        select sum(taken.amount) from ledger_player_lines other
        join ledger_entries undone on undone.id = other.entry_id and undone.kind = 'deposit_taken'
          and split_part(undone.source, ':', 1) = entry.source
        join ledger_postings taken on taken.entry_id = other.entry_id and taken.account_id = other.account_id
        where other.account_id = wallet.id and other.entry_id > entry.id), 0)::bigint end
      from wallet
      join ledger_player_lines line on line.account_id = wallet.id
        and line.entry_id > coalesce((select id from oldest), 0)
      join ledger_entries entry on entry.id = line.entry_id
      join ledger_postings posting on posting.entry_id = entry.id and posting.account_id = wallet.id
      where entry.at > ${toTimestamp(since)} and (entry.kind in ('deposit', 'debt_repayment')
        or (entry.kind = 'correction' and posting.amount > 0 and entry.details::jsonb ? 'keptKobo'))
    )
    select at, coins from changes where coins <> 0 order by id`.execute(queries);
  return rows.map(({ at, coins }) => ({ at: fromTimestamp(at), coins }));
}
