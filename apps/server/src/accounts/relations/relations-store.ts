import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";
import { SHARED_DEVICE_MS } from "../traces/trace-kinds.ts";

/** The games in which a player never meets these others. */
export type NeverPaired = ReadonlyMap<PlayerId, "in_any_game" | "for_stakes">;

interface RelationRow {
  readonly muted: boolean;
  readonly blocked: boolean;
}

export async function loadRelation(
  queries: Queries,
  playerId: PlayerId,
  otherId: PlayerId,
): Promise<RelationRow | null> {
  const { rows } = await sql<RelationRow>`
    select muted, blocked from player_relations where player_id = ${playerId} and other_id = ${otherId}`.execute(
    queries,
  );
  return rows[0] ?? null;
}

/** A weak lock, so that others' rows may still reference the player. */
export async function lockProfile(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`select from profiles where id = ${playerId} for no key update`.execute(tx);
}

export async function countRelations(tx: Tx, playerId: PlayerId): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from player_relations where player_id = ${playerId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function saveRelation(
  tx: Tx,
  playerId: PlayerId,
  otherId: PlayerId,
  { muted, blocked }: RelationRow,
  at: Instant,
): Promise<void> {
  await sql`
    insert into player_relations (player_id, other_id, muted, blocked, updated_at)
    values (${playerId}, ${otherId}, ${muted}, ${blocked}, ${toTimestamp(at)})
    on conflict (player_id, other_id) do update
    set muted = excluded.muted, blocked = excluded.blocked, updated_at = excluded.updated_at`.execute(tx);
}

export async function removeRelation(tx: Tx, playerId: PlayerId, otherId: PlayerId): Promise<void> {
  await sql`delete from player_relations where player_id = ${playerId} and other_id = ${otherId}`.execute(tx);
}

/**
 * With whom each of these players is not paired: after a block (ruling 23), or for stakes with one
 * bank account, card or device (ruling 54). Players without anyone are omitted.
 */
export async function findNeverPairedOf(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<ReadonlyMap<PlayerId, NeverPaired>> {
  const ids = [...playerIds];
  const { rows } = await sql<{ readonly id: PlayerId; readonly other: PlayerId; readonly isBlocked: boolean }>`
    select id, other, bool_or(is_blocked) as "isBlocked" from (
      select player_id as id, other_id as other, true as is_blocked
        from player_relations where player_id = any(${ids}::text[]) and blocked
      union all select other_id, player_id, true from player_relations where other_id = any(${ids}::text[]) and blocked
      union all select own.player_id, other.player_id, false
        from account_traces own join account_traces other
          on other.keyed_hash = own.keyed_hash and other.kind = own.kind and other.player_id <> own.player_id
        where own.player_id = any(${ids}::text[]) and own.kind in ('bank_account', 'card', 'device')
          and (own.kind <> 'device' or least(own.last_at, other.last_at) > ${addMs(now, -SHARED_DEVICE_MS)})
    ) pairs group by id, other`.execute(queries);
  const toOthers = (pairs: typeof rows): NeverPaired =>
    new Map(pairs.map(({ other, isBlocked }) => [other, isBlocked ? "in_any_game" : "for_stakes"]));
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, pairs]) => [id, toOthers(pairs)]));
}

export async function loadRelations(
  queries: Queries,
  playerId: PlayerId,
): Promise<readonly (RelationRow & { readonly username: string })[]> {
  const { rows } = await sql<RelationRow & { readonly username: string }>`
    select profile.username, relation.muted, relation.blocked
    from player_relations relation join profiles profile on profile.id = relation.other_id
    where relation.player_id = ${playerId} order by lower(profile.username)`.execute(queries);
  return rows;
}
