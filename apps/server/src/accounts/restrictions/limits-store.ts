import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { LimitKind } from "@holo/protocol/accounts/restriction-terms.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { NO_LIMIT, type PlayerLimit, type PlayerLimits } from "./limits.ts";

interface LimitRow {
  readonly kind: LimitKind;
  readonly value: bigint | null;
  readonly next_value: bigint | null;
  readonly next_at: bigint | null;
}

/** Separates these advisory locks from others. Taking a seat shares the lock (`lifecycle_lock`). */
const LOCK_SPACE = 470;

/**
 * Exclusive until the end of the transaction: for changing restrictions or counting against them.
 */
export async function lockLimits(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${playerId}))`.execute(tx);
}

/** The stored limits, pending changes included; see `toLimitAt`. */
export async function loadLimits(queries: Queries, playerId: PlayerId): Promise<PlayerLimits> {
  const { rows } = await sql<LimitRow>`
    select kind, value, next_value, next_at from player_limits where player_id = ${playerId}`.execute(queries);
  const none: PlayerLimits = {
    depositDay: NO_LIMIT,
    depositWeek: NO_LIMIT,
    depositMonth: NO_LIMIT,
    stake: NO_LIMIT,
    session: NO_LIMIT,
  };
  return { ...none, ...Object.fromEntries(rows.map((row) => [row.kind, toLimit(row)])) };
}

function toLimit({ value, next_value: nextValue, next_at: nextAt }: LimitRow): PlayerLimit {
  const next = nextAt === null ? null : { value: toNumber(nextValue), at: Number(nextAt) as Instant };
  return { value: toNumber(value), next };
}

function toNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

export async function saveLimit(
  tx: Tx,
  playerId: PlayerId,
  kind: LimitKind,
  { value, next }: PlayerLimit,
  at: Instant,
): Promise<void> {
  await sql`
    insert into player_limits (player_id, kind, value, next_value, next_at, updated_at)
    values (${playerId}, ${kind}, ${value}, ${next?.value ?? null}, ${next?.at ?? null}, ${at})
    on conflict (player_id, kind) do update set value = excluded.value, next_value = excluded.next_value,
      next_at = excluded.next_at, updated_at = excluded.updated_at`.execute(tx);
}

export interface SelfExclusion {
  readonly fromAt: Instant;
  readonly untilAt: Instant;
  readonly coversFreeGames: boolean;
}

export async function saveSelfExclusion(
  tx: Tx,
  playerId: PlayerId,
  { fromAt, untilAt, coversFreeGames }: SelfExclusion,
): Promise<void> {
  await sql`
    insert into self_exclusions (player_id, from_at, until_at, covers_free_games)
    values (${playerId}, ${fromAt}, ${untilAt}, ${coversFreeGames})`.execute(tx);
}

/** Earlier self-exclusions remain, but block no registration with the account's address. */
export async function saveExclusionsUnproven(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`update self_exclusions set blocks_email = false where player_id = ${playerId}`.execute(tx);
}

export interface ExclusionEnds {
  readonly excludedUntil: Instant | null;
  readonly excludedFromFreeUntil: Instant | null;
}

export async function loadExclusionEnds(queries: Queries, playerId: PlayerId, now: Instant): Promise<ExclusionEnds> {
  const { rows } = await sql<ExclusionEnds>`
    select max(until_at)::float8 as "excludedUntil",
      (max(until_at) filter (where covers_free_games))::float8 as "excludedFromFreeUntil"
    from self_exclusions where player_id = ${playerId} and until_at > ${now}`.execute(queries);
  return rows[0]!;
}

export async function loadSelfExclusions(queries: Queries, playerId: PlayerId): Promise<readonly SelfExclusion[]> {
  const { rows } = await sql<SelfExclusion>`
    select from_at::float8 as "fromAt", until_at::float8 as "untilAt", covers_free_games as "coversFreeGames"
    from self_exclusions where player_id = ${playerId} order by from_at desc`.execute(queries);
  return rows;
}
