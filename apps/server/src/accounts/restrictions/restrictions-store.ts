import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";

export interface Maintenance {
  /** Increases with every change. */
  readonly id: bigint;
  /** The notice to players; null: off. */
  readonly text: string | null;
  readonly at: Instant;
}

/** The latest change; null if there was none. */
export async function loadMaintenance(queries: Queries): Promise<Maintenance | null> {
  const { rows } = await sql<{ readonly id: bigint; readonly text: string | null; readonly at: bigint }>`
    select id, text, at from maintenance_changes order by id desc limit 1`.execute(queries);
  const row = rows[0];
  return row === undefined ? null : { id: row.id, text: row.text, at: Number(row.at) as Instant };
}

/** Returns the id of the change. */
export async function saveMaintenance(
  tx: Tx,
  { text, actId, at }: { readonly text: string | null; readonly actId: bigint; readonly at: Instant },
): Promise<bigint> {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into maintenance_changes (at, act_id, text) values (${at}, ${actId}, ${text}) returning id`.execute(tx);
  return rows[0]!.id;
}

/** Bans a player who is not banned. The caller holds `lockLimits`. */
export async function saveBan(
  tx: Tx,
  block: { readonly playerId: PlayerId; readonly reason: string; readonly actId: bigint; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into player_blocks (player_id, at, act_id, reason)
    values (${block.playerId}, ${block.at}, ${block.actId}, ${block.reason})`.execute(tx);
}

export async function removeBan(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from player_blocks where player_id = ${playerId}`.execute(tx);
}

/** The reasons shown to banned players; others are omitted. */
export async function loadBans(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, string>> {
  const { rows } = await sql<{ readonly player_id: PlayerId; readonly reason: string }>`
    select player_id, reason from player_blocks where player_id = any(${[...playerIds]})`.execute(queries);
  return new Map(rows.map(({ player_id: id, reason }) => [id, reason]));
}

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
    readonly is_blocked: boolean;
    readonly is_closing: boolean;
    readonly until_at: bigint | null;
    readonly is_maintained: boolean | null;
  }>`
    select exists (select from player_blocks where player_id = ${playerId}) as is_blocked,
      exists (select from closing_accounts where player_id = ${playerId}) as is_closing,
      (select max(until_at) from self_exclusions where player_id = ${playerId} and until_at > ${now}) as until_at,
      (select text is not null from maintenance_changes order by id desc limit 1) as is_maintained`.execute(queries);
  const { is_blocked: isBlocked, is_closing: isClosing, until_at: untilAt, is_maintained: isMaintained } = rows[0]!;
  const excludedUntil = untilAt === null ? null : (Number(untilAt) as Instant);
  return {
    isBanned: isBlocked,
    isDeletionPending: isClosing,
    excludedUntil,
    isUnderMaintenance: isMaintained ?? false,
  };
}

/** Those of these players who are banned, excluded or waiting for deletion. */
export async function loadRestricted(
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

/** A player as found by admins. */
export interface PlayerRecord {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly sinceAt: Instant;
}

async function loadFound(queries: Queries, rest: RawBuilder<unknown>): Promise<readonly PlayerRecord[]> {
  const { rows } = await sql<Omit<PlayerRecord, "sinceAt"> & { readonly created_at: Date }>`
    select profile.id, profile.username, holder.email, holder.email_verified as "isVerified", profile.created_at
    from profiles profile join auth_users holder on holder.id = profile.id ${rest}`.execute(queries);
  return rows.map(({ created_at: createdAt, ...player }) => ({ ...player, sinceAt: fromTimestamp(createdAt) }));
}

/** Finds by id only. */
export async function findPlayerRecord(queries: Queries, id: PlayerId): Promise<PlayerRecord | null> {
  return (await loadFound(queries, sql`where profile.id = ${id}`))[0] ?? null;
}

export interface PlayerRecordSearch {
  readonly text: string;
  /** Further players to include. */
  readonly ids: readonly PlayerId[];
  /** A username: results after it. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Players whose name or address contains the text (case-insensitive) or whose id matches, by name.
 */
export async function searchPlayerRecords(
  queries: Queries,
  { text, ids, after, limit }: PlayerRecordSearch,
): Promise<readonly PlayerRecord[]> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return await loadFound(
    queries,
    sql`
    where (lower(profile.username) like ${pattern} or lower(holder.email) like ${pattern} or profile.id = ${text}
        or profile.id = any(${[...ids]}))
      and (${after}::text is null or lower(profile.username) > lower(${after}))
    order by lower(profile.username) limit ${limit}`,
  );
}
