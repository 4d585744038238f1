import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

export interface AccountEmail {
  readonly playerId: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly isVerified: boolean;
}

/** `verify` the account's address, `change` it to the link's address, `reset` the password. */
export type LinkPurpose = "verify" | "change" | "reset";

interface NewEmailLink {
  readonly tokenHash: string;
  readonly playerId: PlayerId;
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface EmailLink extends NewEmailLink {
  readonly isUsed: boolean;
}

const ACCOUNT_EMAIL = sql`player.id as "playerId", profile.username, player.email, player.email_verified as "isVerified"
  from players player join profiles profile on profile.id = player.id`;

/** Locks the account against concurrent changes. Null if there is no such player. */
export async function lockAccount(tx: Tx, playerId: PlayerId): Promise<AccountEmail | null> {
  const { rows } = await sql<AccountEmail>`
    select ${ACCOUNT_EMAIL} where player.id = ${playerId} for update of player`.execute(tx);
  return rows[0] ?? null;
}

/** `email` is normalized. */
export async function findAccountByEmail(tx: Tx, email: string): Promise<AccountEmail | null> {
  const { rows } = await sql<AccountEmail>`
    select ${ACCOUNT_EMAIL} where player.email = ${email}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Stores a link and voids the open one of the same purpose. The account must be locked, or new in
 * this transaction.
 */
export async function replaceLink(tx: Tx, link: NewEmailLink): Promise<void> {
  const { tokenHash, playerId, purpose, email } = link;
  await voidLinks(tx, playerId, [purpose]);
  await sql`
    insert into email_links (token_hash, player_id, purpose, email, created_at, expires_at)
    values (${tokenHash}, ${playerId}, ${purpose}, ${email}, ${toTimestamp(link.createdAt)},
      ${toTimestamp(link.expiresAt)})`.execute(tx);
}

/** Voids open links for these purposes. The account must be locked, or new in this transaction. */
export async function voidLinks(tx: Tx, playerId: PlayerId, purposes: readonly LinkPurpose[]): Promise<void> {
  await sql`
    delete from email_links
    where player_id = ${playerId} and used_at is null and purpose = any(${[...purposes]}::text[])`.execute(tx);
}

/** Reliable only while the account is locked. */
export async function loadLink(queries: Queries, tokenHash: string): Promise<EmailLink | null> {
  const { rows } = await sql<{
    readonly player_id: PlayerId;
    readonly purpose: LinkPurpose;
    readonly email: string;
    readonly created_at: Date;
    readonly expires_at: Date;
    readonly used_at: Date | null;
  }>`
    select player_id, purpose, email, created_at, expires_at, used_at
    from email_links where token_hash = ${tokenHash}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    tokenHash,
    playerId: row.player_id,
    purpose: row.purpose,
    email: row.email,
    createdAt: fromTimestamp(row.created_at),
    expiresAt: fromTimestamp(row.expires_at),
    isUsed: row.used_at !== null,
  };
}

export async function removeEndedLinks(queries: Queries, at: Instant): Promise<void> {
  await sql`delete from email_links where expires_at <= ${toTimestamp(at)}`.execute(queries);
}

export async function spendLink(tx: Tx, tokenHash: string, at: Instant): Promise<void> {
  await sql`update email_links set used_at = ${toTimestamp(at)} where token_hash = ${tokenHash}`.execute(tx);
}

export async function loadAccountEmail(queries: Queries, playerId: PlayerId): Promise<string | null> {
  const { rows } = await sql<{ readonly email: string }>`
    select email from players where id = ${playerId}`.execute(queries);
  return rows[0]?.email ?? null;
}

/** Roles and withdrawals require it (rulings 12 and 25). False if there is no such player. */
export async function isEmailVerified(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<{ readonly email_verified: boolean }>`
    select email_verified from players where id = ${playerId}`.execute(queries);
  return rows[0]?.email_verified ?? false;
}
