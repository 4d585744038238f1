import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** Everything that prevents a player from playing and depositing. */
export interface Restrictions {
  readonly isBanned: boolean;
  readonly isDeletionPending: boolean;
  readonly excludedUntil: Instant | null;
  readonly isUnderMaintenance: boolean;
}

/** One query, since every seat and deposit needs it. */
export async function loadRestrictions(queries: Queries, playerId: PlayerId, now: Instant): Promise<Restrictions> {
  const { rows } = await sql<{
    readonly is_banned: boolean;
    readonly is_deletion_pending: boolean;
    readonly until_at: bigint | null;
    readonly is_under_maintenance: boolean | null;
  }>`
    select exists (select from player_blocks where player_id = ${playerId}) as is_banned,
      exists (select from closing_accounts where player_id = ${playerId}) as is_deletion_pending,
      (select max(until_at) from self_exclusions where player_id = ${playerId} and until_at > ${now}) as until_at,
      (select text is not null from maintenance_changes order by id desc limit 1) as is_under_maintenance`.execute(
    queries,
  );
  const {
    is_banned: isBanned,
    is_deletion_pending: isDeletionPending,
    until_at: untilAt,
    is_under_maintenance: isUnderMaintenance,
  } = rows[0]!;
  const excludedUntil = untilAt === null ? null : (Number(untilAt) as Instant);
  return {
    isBanned,
    isDeletionPending,
    excludedUntil,
    isUnderMaintenance: isUnderMaintenance ?? false,
  };
}

/** Those of these players who are banned, excluded or waiting for deletion. */
export async function findRestricted(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<ReadonlySet<PlayerId>> {
  const ids = [...playerIds];
  const { rows } = await sql<{ readonly player_id: PlayerId }>`
    select player_id from player_blocks where player_id = any(${ids})
    union all select player_id from closing_accounts where player_id = any(${ids})
    union all select player_id from self_exclusions where player_id = any(${ids}) and until_at > ${now}`.execute(
    queries,
  );
  return new Set(rows.map(({ player_id: id }) => id));
}
