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
 * deposits, refunded games and withdrawals. A refunded part of a deposit counts as a loss.
 */
export async function loadNetChanges(
  queries: Queries,
  playerId: PlayerId,
  since: Instant,
): Promise<readonly NetChange[]> {
  const { rows } = await sql<{ readonly at: Date; readonly coins: Coins }>`
    with wallet as (
      select id from ledger_accounts where kind = 'wallet' and owner = ${playerId}
    ), recent as materialized (
      select entry.id, entry.kind, entry.source, entry.at, posting.amount
      from wallet
      join ledger_postings posting on posting.account_id = wallet.id
      join ledger_entries entry on entry.id = posting.entry_id
      -- Read backwards from the newest to the first that is too old: a player of years has many.
      where posting.entry_id > coalesce((
        select earlier.entry_id from ledger_postings earlier join ledger_entries old on old.id = earlier.entry_id
        where earlier.account_id = wallet.id and old.at < ${toTimestamp(addMs(since, -GAME_MAX_MS))}
        order by earlier.entry_id desc limit 1), 0)
    ), changes as (
      select settled.id, settled.at, stake.amount + coalesce(paid.amount, 0) as coins
      from recent stake
      join ledger_entries settled on settled.settled_game = split_part(stake.source, ':', 1) and settled.kind in ('win', 'draw')
      left join recent paid on paid.id = settled.id
      where stake.kind = 'stake' and settled.at > ${toTimestamp(since)}
      union all
      select id, at, amount from recent
      where kind in ('deposit', 'deposit_sent_back', 'debt_repayment') and at > ${toTimestamp(since)}
        and not (kind = 'deposit' and exists (
          select from ledger_entries reversal where reversal.kind = 'deposit_reversal' and reversal.source = recent.source
            and not exists (
              select from ledger_entries back where back.kind = 'deposit_return' and back.source = recent.source)))
    )
    select at, coins from changes where coins <> 0 order by id`.execute(queries);
  return rows.map(({ at, coins }) => ({ at: fromTimestamp(at), coins }));
}
