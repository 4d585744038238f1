import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";

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
 * With whom each of these players is never paired: after a block (ruling 23), or for stakes with
 * one bank account (ruling 54). Players without anyone are omitted.
 */
export async function findNeverPairedOf(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, NeverPaired>> {
  const ids = [...playerIds];
  const { rows } = await sql<{ readonly id: PlayerId; readonly other: PlayerId; readonly isBlocked: boolean }>`
    select id, other, bool_or(is_blocked) as "isBlocked" from (
      select player_id as id, other_id as other, true as is_blocked
        from player_relations where player_id = any(${ids}::text[]) and blocked
      union all select other_id, player_id, true from player_relations where other_id = any(${ids}::text[]) and blocked
      union all select player_id, other_id, false from shared_bank_accounts where player_id = any(${ids}::text[])
      union all select other_id, player_id, false from shared_bank_accounts where other_id = any(${ids}::text[])
    ) pairs group by id, other`.execute(queries);
  const toOthers = (pairs: typeof rows): NeverPaired =>
    new Map(pairs.map(({ other, isBlocked }) => [other, isBlocked ? "in_any_game" : "for_stakes"]));
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, pairs]) => [id, toOthers(pairs)]));
}

/**
 * Never pairs the player with these others again: they share a bank account. The caller holds the
 * player's `lockLimits`, which taking a seat waits for.
 */
export async function saveSharedBankAccounts(
  tx: Tx,
  playerId: PlayerId,
  otherIds: readonly PlayerId[],
  at: Instant,
): Promise<void> {
  await sql`
    insert into shared_bank_accounts (player_id, other_id, from_at)
    select least(${playerId}, other_id), greatest(${playerId}, other_id), ${at}::bigint
    from unnest(${[...otherIds]}::text[]) as other_id
    on conflict (player_id, other_id) do nothing`.execute(tx);
}

export interface SharedBankAccount {
  readonly playerIds: readonly [PlayerId, PlayerId];
  readonly fromAt: Instant;
}

interface SharedBankAccountRow {
  readonly player_id: PlayerId;
  readonly other_id: PlayerId;
  readonly from_at: bigint;
}

/** Pairs found to share a bank account after that instant, newest first. */
export async function loadSharedBankAccounts(
  queries: Queries,
  since: Instant,
  limit: number,
): Promise<readonly SharedBankAccount[]> {
  const { rows } = await sql<SharedBankAccountRow>`
    select player_id, other_id, from_at from shared_bank_accounts
    where from_at > ${since} order by from_at desc, player_id, other_id limit ${limit}`.execute(queries);
  return rows.map(toSharedBankAccount);
}

function toSharedBankAccount(row: SharedBankAccountRow): SharedBankAccount {
  return { playerIds: [row.player_id, row.other_id], fromAt: Number(row.from_at) as Instant };
}

/** Which of the pairs share a bank account. */
export async function findSharedBankAccounts(
  queries: Queries,
  pairs: readonly (readonly [PlayerId, PlayerId])[],
): Promise<readonly SharedBankAccount[]> {
  const { rows } = await sql<SharedBankAccountRow>`
    select player_id, other_id, from_at from shared_bank_accounts
    join unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, other]) => other)}::text[]) as asked (one, other)
      on player_id = least(one, other) and other_id = greatest(one, other)`.execute(queries);
  return rows.map(toSharedBankAccount);
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
