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
    insert into bans (player_id, at, audit_event_id, reason)
    values (${ban.playerId}, ${ban.at}, ${ban.auditEventId}, ${ban.reason})`.execute(tx);
}

export async function removeBan(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from bans where player_id = ${playerId}`.execute(tx);
}

export interface Ban {
  /** Of its audit event: a later ban of the player has another. */
  readonly id: string;
  /** Shown to the player. */
  readonly reason: string;
}

export async function loadBans(queries: Queries, playerIds: readonly PlayerId[]): Promise<ReadonlyMap<PlayerId, Ban>> {
  const { rows } = await sql<{ readonly player_id: PlayerId } & Ban>`
    select player_id, audit_event_id::text as id, reason from bans where player_id = any(${[...playerIds]})`.execute(
    queries,
  );
  return new Map(rows.map(({ player_id: playerId, id, reason }) => [playerId, { id, reason }]));
}
