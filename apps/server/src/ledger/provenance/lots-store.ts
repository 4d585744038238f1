import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

/** What is left of one entry's gain, open stakes included. */
interface Lot {
  readonly at: Instant;
  readonly coins: Coins;
}

/** The lots that were gained after `since`, oldest first. Coins that came back keep their age. */
export async function loadLots(queries: Queries, playerId: PlayerId, since: Instant): Promise<readonly Lot[]> {
  const { rows } = await sql<{ readonly at: Date; readonly coins: Coins }>`
    select gained.at, sum(piece.left_coins)::bigint as coins
    from ledger_accounts account
      join coin_pieces piece on piece.wallet_id = account.id and not piece.is_spent and piece.rank > 0
      join ledger_entries gained on gained.id = piece.entry_id and gained.kind <> 'opening'
    where account.kind = 'wallet' and account.owner = ${playerId} and gained.at > ${toTimestamp(since)}
    group by gained.id, gained.at order by gained.id`.execute(queries);
  return rows.map(({ at, coins }) => ({ at: fromTimestamp(at), coins }));
}
