import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

interface Restrictions {
  readonly isBanned: boolean;
  /** The deletion of the account was requested. */
  readonly isClosing: boolean;
  readonly excludedUntil: Instant | null;
  readonly isUnderMaintenance: boolean;
}

/** One query, since every deposit needs it. */
export async function loadRestrictions(queries: Queries, playerId: PlayerId, now: Instant): Promise<Restrictions> {
  const { rows } = await sql<{
    readonly is_banned: boolean;
    readonly is_closing: boolean;
    readonly until_at: bigint | null;
    readonly is_under_maintenance: boolean | null;
  }>`
    select exists (select from bans where player_id = ${playerId}) as is_banned,
      exists (select from closing_accounts where player_id = ${playerId}) as is_closing,
      (select max(until_at) from self_exclusions where player_id = ${playerId} and until_at > ${now}) as until_at,
      (select text is not null from maintenance_changes order by id desc limit 1) as is_under_maintenance`.execute(
    queries,
  );
  const {
    is_banned: isBanned,
    is_closing: isClosing,
    until_at: untilAt,
    is_under_maintenance: isUnderMaintenance,
  } = rows[0]!;
  const excludedUntil = untilAt === null ? null : (Number(untilAt) as Instant);
  return {
    isBanned,
    isClosing,
    excludedUntil,
    isUnderMaintenance: isUnderMaintenance ?? false,
  };
}
