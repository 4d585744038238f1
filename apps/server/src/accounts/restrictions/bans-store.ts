import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/** Bans a player who is not banned. The caller holds `lockLimits`. */
export async function saveBan(
  tx: Tx,
  ban: { readonly playerId: PlayerId; readonly reason: string; readonly auditEventId: bigint; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into player_blocks (player_id, at, act_id, reason)
    values (${ban.playerId}, ${ban.at}, ${ban.auditEventId}, ${ban.reason})`.execute(tx);
}

export async function removeBan(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from player_blocks where player_id = ${playerId}`.execute(tx);
}

export async function loadBans(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, string>> {
  const { rows } = await sql<{ readonly player_id: PlayerId; readonly reason: string }>`
    select player_id, reason from player_blocks where player_id = any(${[...playerIds]})`.execute(queries);
  return new Map(rows.map(({ player_id: id, reason }) => [id, reason]));
}
