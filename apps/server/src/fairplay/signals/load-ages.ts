import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** When the youngest began: the account, or the bank account and device now in use. */
export async function loadYoungest(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const { rows } = await sql<{ readonly id: PlayerId; readonly at: Instant }>`/* prepared fair_play_youngest */
    select player.id, greatest((select (extract(epoch from created_at) * 1000)::bigint from profiles where id = player.id),
      (select max(first_at) from (select distinct on (kind) first_at from account_traces
        where player_id = player.id and kind in ('bank_account', 'device') order by kind, last_at desc, first_at) used))::float8 as at
    from unnest(${[...playerIds]}::text[]) as player (id)`.execute(queries);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])));
}
