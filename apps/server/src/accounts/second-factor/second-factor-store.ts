import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

interface SecondFactorRow {
  readonly sealedSecret: Buffer;
  /** Null: not in force yet. */
  readonly confirmedAt: Instant | null;
  readonly lastStep: number;
}

export async function loadSecondFactorRow(queries: Queries, playerId: PlayerId): Promise<SecondFactorRow | null> {
  const { rows } = await sql<{ sealed_secret: Buffer; confirmed_at: Date | null; last_step: bigint }>`
    select sealed_secret, confirmed_at, last_step from second_factors where player_id = ${playerId}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  const confirmedAt = row.confirmed_at === null ? null : fromTimestamp(row.confirmed_at);
  return { sealedSecret: row.sealed_secret, confirmedAt, lastStep: Number(row.last_step) };
}

/** Replaces a secret that is not in force yet. */
export async function saveNewSecret(tx: Tx, playerId: PlayerId, sealedSecret: Buffer): Promise<void> {
  await sql`
    insert into second_factors (player_id, sealed_secret) values (${playerId}, ${sealedSecret})
    on conflict (player_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0
    where second_factors.confirmed_at is null`.execute(tx);
}

/** Leaves a secret that is in force. */
export async function removeNewSecret(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from second_factors where player_id = ${playerId} and confirmed_at is null`.execute(tx);
}

export async function saveConfirmed(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await sql`update second_factors set confirmed_at = ${toTimestamp(at)} where player_id = ${playerId}`.execute(tx);
}

export async function saveUsedStep(tx: Tx, playerId: PlayerId, step: number): Promise<void> {
  await sql`update second_factors set last_step = ${step} where player_id = ${playerId}`.execute(tx);
}

export async function saveRecoveryCodes(tx: Tx, playerId: PlayerId, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into recovery_codes (player_id, code_hash)
    select ${playerId}, hash from unnest(${[...hashes]}::text[]) as made (hash)`.execute(tx);
}

export async function spendRecoveryCode(tx: Tx, playerId: PlayerId, hash: string, at: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = ${toTimestamp(at)}
    where player_id = ${playerId} and code_hash = ${hash} and used_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

export async function countRecoveryCodes(queries: Queries, playerId: PlayerId): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from recovery_codes where player_id = ${playerId} and used_at is null`.execute(
    queries,
  );
  return rows[0]?.count ?? 0;
}

export async function removeSecondFactor(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from second_factors where player_id = ${playerId}`.execute(tx);
  await sql`delete from recovery_codes where player_id = ${playerId}`.execute(tx);
}

export async function saveSessionCode(tx: Tx, token: string, at: Instant): Promise<void> {
  await sql`update sessions set second_factor_at = ${toTimestamp(at)} where token = ${token}`.execute(tx);
}
