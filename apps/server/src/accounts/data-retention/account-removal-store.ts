import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";
import { removeMails } from "../../platform/mail/outbox-store.ts";
import { randomBytes } from "../../platform/runtime.ts";
import { removeProfile } from "../profiles/profiles-store.ts";
import { removePlaces } from "../traces/traces-store.ts";

function makePseudonym(): string {
  return `gone-${randomBytes(5).toString("hex")}`;
}

/** Suffix of the addresses of deleted accounts. `.invalid` is reserved (RFC 2606). */
const DELETED_ADDRESS_SUFFIX = "@left.invalid";

/** Requires a deletion request too, in case an old account was given an address like these. */
export async function isAccountDeleted(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql`
    select from players player join closing_accounts closing on closing.player_id = player.id
    where player.id = ${playerId} and player.email like ${`%${DELETED_ADDRESS_SUFFIX}`}`.execute(queries);
  return rows.length > 0;
}

export async function loadDeletedPlayers(queries: Queries): Promise<readonly PlayerId[]> {
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select player.id from closing_accounts closing join players player on player.id = closing.player_id
    where player.email like ${`%${DELETED_ADDRESS_SUFFIX}`} order by player.id`.execute(queries);
  return rows.map(({ id }) => id);
}

/**
 * Erases name, address, mails, password, sessions, links, settings, limits and relations; keeps id
 * and self-exclusions. The caller has locked the account; no game or payment is open.
 */
export async function removeIdentity(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  const pseudonym = makePseudonym();
  const { rows } = await sql<{ readonly email: string }>`
    select email from players where id = ${playerId} for update`.execute(tx);
  for (const { email } of rows) await removeMails(tx, playerId, email);
  await sql`delete from sessions where player_id = ${playerId}`.execute(tx);
  await sql`delete from passwords where player_id = ${playerId}`.execute(tx);
  await sql`delete from second_factors where player_id = ${playerId}`.execute(tx);
  await sql`delete from recovery_codes where player_id = ${playerId}`.execute(tx);
  await sql`delete from account_devices where player_id = ${playerId}`.execute(tx);
  await removePlaces(tx, playerId);
  await sql`delete from email_links where player_id = ${playerId}`.execute(tx);
  await sql`delete from player_limits where player_id = ${playerId}`.execute(tx);
  await sql`delete from player_relations where player_id = ${playerId}`.execute(tx);
  await sql`
    update players set email = ${pseudonym + DELETED_ADDRESS_SUFFIX}, email_verified = false,
      updated_at = ${toTimestamp(at)} where id = ${playerId}`.execute(tx);
  await removeProfile(tx, playerId, pseudonym, at);
}

/**
 * From now on the player neither plays nor deposits. The caller holds `lockLimits`. A repeated
 * request keeps the first instant.
 */
export async function saveClosing(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await sql`
    insert into closing_accounts (player_id, at) values (${playerId}, ${at}) on conflict (player_id) do nothing`.execute(
    tx,
  );
}

export async function loadClosings(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const { rows } = await sql<{ readonly player_id: PlayerId; readonly at: bigint }>`
    select player_id, at from closing_accounts where player_id = any(${[...playerIds]})`.execute(queries);
  return new Map(rows.map(({ player_id: id, at }) => [id, Number(at) as Instant]));
}
