import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export interface Restrictions {
  readonly isBanned: boolean;
  /** The deletion of the account was requested. */
  readonly isClosing: boolean;
  readonly excludedUntil: Instant | null;
  readonly isUnderMaintenance: boolean;
  /** A deposit is disputed: the player may deposit, but not play (ruling 33). */
  readonly hasDispute: boolean;
}

/** One query, since every seat and deposit needs it. */
export async function loadRestrictions(queries: Queries, playerId: PlayerId, now: Instant): Promise<Restrictions> {
  const { rows } = await sql<{
    readonly is_banned: boolean;
    readonly is_closing: boolean;
    readonly until_at: bigint | null;
    readonly is_under_maintenance: boolean | null;
    readonly has_dispute: boolean;
  }>`
    select exists (select from player_blocks where player_id = ${playerId}) as is_banned,
      exists (select from closing_accounts where player_id = ${playerId}) as is_closing,
      (select max(until_at) from self_exclusions where player_id = ${playerId} and until_at > ${now}) as until_at,
      (select text is not null from maintenance_changes order by id desc limit 1) as is_under_maintenance,
      exists (select from deposit_disputes where player_id = ${playerId} and until_at is null) as has_dispute`.execute(
    queries,
  );
  const {
    is_banned: isBanned,
    is_closing: isClosing,
    until_at: untilAt,
    is_under_maintenance: isUnderMaintenance,
    has_dispute: hasDispute,
  } = rows[0]!;
  const excludedUntil = untilAt === null ? null : (Number(untilAt) as Instant);
  return {
    isBanned,
    isClosing,
    excludedUntil,
    isUnderMaintenance: isUnderMaintenance ?? false,
    hasDispute,
  };
}

/** Those who are banned, self-excluded, waiting for deletion or have a disputed deposit. */
export async function findRestricted(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<ReadonlySet<PlayerId>> {
  const ids = [...playerIds];
  const { rows } = await sql<{ readonly player_id: PlayerId }>`
    select player_id from player_blocks where player_id = any(${ids})
    union all select player_id from closing_accounts where player_id = any(${ids})
    union all select player_id from self_exclusions where player_id = any(${ids}) and until_at > ${now}
    union all select player_id from deposit_disputes where player_id = any(${ids}) and until_at is null`.execute(
    queries,
  );
  return new Set(rows.map(({ player_id: id }) => id));
}
