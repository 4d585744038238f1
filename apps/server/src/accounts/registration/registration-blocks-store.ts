import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

interface NewRegistrationBlock {
  readonly hash: string;
  readonly playerId: PlayerId;
  /** The block lasts at least until then; null: only as long as the ban or self-exclusion. */
  readonly heldUntil: Instant | null;
}

function sqlIsBannedOrExcluded(playerId: RawBuilder<unknown>, now: Instant): RawBuilder<boolean> {
  return sql`(exists (select from bans ban where ban.player_id = ${playerId})
    or exists (select from self_exclusions exclusion
      where exclusion.player_id = ${playerId} and exclusion.blocks_email and exclusion.until_at > ${now}))`;
}

/** Blocks an address if there is a reason to. Never shortens an existing block. */
export async function saveRegistrationBlock(
  tx: Tx,
  { hash, playerId, heldUntil }: NewRegistrationBlock,
  now: Instant,
): Promise<void> {
  await sql`
    insert into registration_blocks as kept (email_hash, player_id, until_at)
    select ${hash}, ${playerId}, ${heldUntil}
    where ${heldUntil}::bigint is not null or ${sqlIsBannedOrExcluded(sql`${playerId}`, now)}
    on conflict (email_hash, player_id) do update set until_at = greatest(kept.until_at, excluded.until_at)`.execute(
    tx,
  );
}

/** Reasons caused by players other than the given one. */
interface FoundRegistrationBlock {
  readonly isBanned: boolean;
  /** End of the longest self-exclusion; null: none. */
  readonly exclusionUntil: Instant | null;
  /** End of the delay for limits of given-up addresses; null: none. */
  readonly limitsUntil: Instant | null;
}

export async function loadRegistrationBlock(
  queries: Queries,
  hash: string,
  exceptId: PlayerId | null,
  now: Instant,
): Promise<FoundRegistrationBlock> {
  const { rows } = await sql<{
    readonly is_banned: boolean | null;
    readonly exclusion_until: bigint | null;
    readonly limits_until: bigint | null;
  }>`
    select bool_or(exists (select from bans ban where ban.player_id = held.player_id)) as is_banned,
      max((
        select max(until_at) from self_exclusions exclusion
        where exclusion.player_id = held.player_id and exclusion.blocks_email and exclusion.until_at > ${now}
      )) as exclusion_until,
      max(held.until_at) filter (where held.until_at > ${now}) as limits_until
    from registration_blocks held
    where held.email_hash = ${hash} and held.player_id is distinct from ${exceptId}::text`.execute(queries);
  const row = rows[0];
  return {
    isBanned: row?.is_banned ?? false,
    exclusionUntil: toInstant(row?.exclusion_until),
    limitsUntil: toInstant(row?.limits_until),
  };
}

function toInstant(at: bigint | null | undefined): Instant | null {
  return at === null || at === undefined ? null : (Number(at) as Instant);
}

/** Players who caused a block of this address; deleted ones included. */
export async function loadRegistrationBlockPlayers(queries: Queries, hash: string): Promise<readonly PlayerId[]> {
  const { rows } = await sql<{ readonly player_id: PlayerId }>`
    select player_id from registration_blocks where email_hash = ${hash}`.execute(queries);
  return rows.map(({ player_id: id }) => id);
}

export async function loadRegistrationBlockHashes(queries: Queries, playerId: PlayerId): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly email_hash: string }>`
    select email_hash from registration_blocks where player_id = ${playerId} order by email_hash`.execute(queries);
  return rows.map(({ email_hash: hash }) => hash);
}

export async function removeEndedRegistrationBlocks(queries: Queries, now: Instant): Promise<void> {
  await sql`
    delete from registration_blocks held
    where coalesce(held.until_at, 0) <= ${now} and not ${sqlIsBannedOrExcluded(sql`held.player_id`, now)}`.execute(
    queries,
  );
}
