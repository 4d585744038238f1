import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";

export async function loadPasswordHash(queries: Queries, playerId: PlayerId): Promise<string | null> {
  const { rows } = await sql<{ readonly hash: string }>`
    select hash from passwords where player_id = ${playerId}`.execute(queries);
  return rows[0]?.hash ?? null;
}

interface Credentials {
  readonly playerId: PlayerId;
  readonly hash: string;
}

/** `email` is normalized. Null if the address has no account, or one without a password. */
export async function findCredentials(queries: Queries, email: string): Promise<Credentials | null> {
  const { rows } = await sql<Credentials>`
    select player.id as "playerId", password.hash from players player
    join passwords password on password.player_id = player.id where player.email = ${email}`.execute(queries);
  return rows[0] ?? null;
}

export async function savePasswordHash(tx: Tx, playerId: PlayerId, hash: string, at: Instant): Promise<void> {
  await sql`
    insert into passwords (player_id, hash, changed_at) values (${playerId}, ${hash}, ${toTimestamp(at)})
    on conflict (player_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`.execute(tx);
}
