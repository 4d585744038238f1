import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";

interface BalancePoint {
  readonly at: Instant;
  readonly balance: Coins;
}

const ENTRIES_MAX = 2_000;

/**
 * A wallet's balance over time, oldest first: at most `points`, each the last of an equal share of
 * its newest entries.
 */
export async function loadBalanceHistory(
  queries: Queries,
  playerId: PlayerId,
  points: number,
): Promise<readonly BalancePoint[]> {
  // The newest are read from the index alone; only the points read their rows.
  const { rows } = await sql<{ readonly at: Date; readonly balance: Coins }>`
    select entry.at, closing.balance_after as balance
    from (
      select account_id, max(entry_id) as entry_id
      from (
        select account_id, entry_id, ntile(${points}) over (order by entry_id) as stretch
        from (
          select posting.account_id, posting.entry_id
          from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
          where account.owner = ${playerId} and account.kind = 'wallet'
          order by posting.entry_id desc limit ${ENTRIES_MAX}) newest) cut
      group by account_id, stretch) point
    join ledger_postings closing on closing.entry_id = point.entry_id and closing.account_id = point.account_id
    join ledger_entries entry on entry.id = point.entry_id
    order by entry.id`.execute(queries);
  return rows.map(({ at, balance }) => ({ at: fromTimestamp(at), balance }));
}
