import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/**
 * From now on the player neither plays nor deposits. The caller holds `lockLimits`. A repeated
 * request keeps the first instant.
 */
export async function savePendingDeletion(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await sql`
    insert into closing_accounts (player_id, at) values (${playerId}, ${at}) on conflict (player_id) do nothing`.execute(
    tx,
  );
}

/** When these players requested deletion; others are omitted. */
export async function loadPendingDeletions(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const { rows } = await sql<{ readonly player_id: PlayerId; readonly at: bigint }>`
    select player_id, at from closing_accounts where player_id = any(${[...playerIds]})`.execute(queries);
  return new Map(rows.map(({ player_id: id, at }) => [id, Number(at) as Instant]));
}
