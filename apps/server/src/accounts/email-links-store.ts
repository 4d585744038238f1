import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../platform/database.ts";
import { fromTimestamp, toTimestamp } from "../platform/timestamp.ts";

export interface EmailHolder {
  readonly playerId: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly isVerified: boolean;
}

export interface EmailLink {
  readonly tokenHash: string;
  readonly playerId: PlayerId;
  /** The address it was mailed to. */
  readonly email: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A link with the account as it is now. */
export interface FoundLink {
  readonly playerId: PlayerId;
  readonly mailedTo: string;
  readonly expiresAt: Instant;
  readonly isUsed: boolean;
  readonly email: string;
  readonly isVerified: boolean;
}

/** Locks the account, so that two who ask for a link at once get one after the other. Null where there is no such player. */
export async function lockEmailHolder(tx: Tx, playerId: PlayerId): Promise<EmailHolder | null> {
  const { rows } = await sql<{ readonly name: string; readonly email: string; readonly email_verified: boolean }>`
    select name, email, email_verified from auth_users where id = ${playerId} for update`.execute(tx);
  const row = rows[0];
  return row === undefined ? null : { playerId, username: row.name, email: row.email, isVerified: row.email_verified };
}

/** Keeps a new link and voids the one that was open. The account has to be locked, or new in this transaction. */
export async function replaceLink(tx: Tx, link: EmailLink): Promise<void> {
  const { tokenHash, playerId, email } = link;
  await sql`delete from email_links where player_id = ${playerId} and used_at is null`.execute(tx);
  await sql`
    insert into email_links (token_hash, player_id, email, created_at, expires_at)
    values (${tokenHash}, ${playerId}, ${email}, ${toTimestamp(link.createdAt)}, ${toTimestamp(link.expiresAt)})`.execute(
    tx,
  );
}

/** The link of this token, its account locked; null where there is none. */
export async function lockLink(tx: Tx, tokenHash: string): Promise<FoundLink | null> {
  const { rows } = await sql<{
    readonly player_id: PlayerId;
    readonly mailed_to: string;
    readonly expires_at: Date;
    readonly used_at: Date | null;
    readonly email: string;
    readonly email_verified: boolean;
  }>`
    select link.player_id, link.email as mailed_to, link.expires_at, link.used_at, holder.email, holder.email_verified
    from email_links link join auth_users holder on holder.id = link.player_id
    where link.token_hash = ${tokenHash} for update of holder`.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    playerId: row.player_id,
    mailedTo: row.mailed_to,
    expiresAt: fromTimestamp(row.expires_at),
    isUsed: row.used_at !== null,
    email: row.email,
    isVerified: row.email_verified,
  };
}

/** False where the link was used or voided meanwhile. */
export async function spendLink(tx: Tx, tokenHash: string, at: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_links set used_at = ${toTimestamp(at)} where token_hash = ${tokenHash} and used_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export async function saveEmailVerified(tx: Tx, playerId: PlayerId, at: Instant): Promise<void> {
  await sql`
    update auth_users set email_verified = true, updated_at = ${toTimestamp(at)} where id = ${playerId}`.execute(tx);
}

/** False too where there is no such player. */
export async function loadEmailVerified(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<{ readonly email_verified: boolean }>`
    select email_verified from auth_users where id = ${playerId}`.execute(queries);
  return rows[0]?.email_verified ?? false;
}
