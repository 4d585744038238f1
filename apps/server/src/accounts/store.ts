import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../platform/database/timestamp.ts";
import { type Role, roleOf } from "./roles/roles-store.ts";

export interface Player {
  readonly id: PlayerId;
  readonly username: string;
}

export interface Profile {
  readonly player: Player;
  readonly sinceAt: Instant;
}

/** A player as seen by themselves. */
export interface OwnPlayer extends Player {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly notificationsEnabled: boolean;
  readonly soundEnabled: boolean;
  /** False: takeback offers are declined automatically (ruling 18). */
  readonly takebacksEnabled: boolean;
}

export interface Session {
  /** Secret. Identifies the session to `checkSessions`; leaves the server only in its cookie. */
  readonly token: string;
  readonly player: OwnPlayer;
  /** At this request; do not keep it. */
  readonly role: Role | null;
  readonly renewedAt: Instant;
  /** Precise to some minutes. */
  readonly seenAt: Instant;
}

export interface Settings {
  readonly notificationsEnabled?: boolean | undefined;
  readonly soundEnabled?: boolean | undefined;
  readonly takebacksEnabled?: boolean | undefined;
}

interface OwnPlayerRow {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly notifications_enabled: boolean;
  readonly sound_enabled: boolean;
  readonly takebacks_enabled: boolean;
}

const OWN_PLAYER_COLUMNS = sql`profile.id, profile.username, holder.email, holder.email_verified, profile.notifications_enabled,
  profile.sound_enabled, profile.takebacks_enabled`;

function toOwnPlayer(row: OwnPlayerRow): OwnPlayer {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified,
    notificationsEnabled: row.notifications_enabled,
    soundEnabled: row.sound_enabled,
    takebacksEnabled: row.takebacks_enabled,
  };
}

/** "Holo" in ASCII: serialises registrations, so that "taken" always refers to a committed row. */
const REGISTRATION_LOCK = 0x486f6c6f;

export async function lockRegistration(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`.execute(tx);
}

export async function isUsernameTaken(tx: Tx, username: string): Promise<boolean> {
  const { rows } = await sql`select from profiles where lower(username) = lower(${username})`.execute(tx);
  return rows.length > 0;
}

export interface NewAccount {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
}

/** Writes the auth library's rows and the profile in one statement. */
export async function saveAccount(tx: Tx, account: NewAccount, at: Instant): Promise<void> {
  const { id, username, email, emailVerified, passwordHash } = account;
  const stamp = toTimestamp(at);
  await sql`
    with holder as (
      insert into auth_users (id, name, email, email_verified, created_at, updated_at)
      values (${id}, ${username}, ${email}, ${emailVerified}, ${stamp}, ${stamp}) returning id
    ), credential as (
      insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
      select gen_random_uuid()::text, id, id, 'credential', ${passwordHash}, ${stamp}, ${stamp} from holder
    )
    insert into profiles (id, username, created_at, updated_at)
    select id, ${username}, ${stamp}, ${stamp} from holder`.execute(tx);
}

/** Null if there is none. */
export async function loadPasswordHash(queries: Queries, playerId: PlayerId): Promise<string | null> {
  const { rows } = await sql<{ readonly password: string | null }>`
    select password from auth_accounts where user_id = ${playerId} and provider_id = 'credential'`.execute(queries);
  return rows[0]?.password ?? null;
}

/** @param email normalized */
export async function loadPasswordHashOf(queries: Queries, email: string): Promise<string | null> {
  const { rows } = await sql<{ readonly password: string | null }>`
    select account.password from auth_users holder
    join auth_accounts account on account.user_id = holder.id and account.provider_id = 'credential'
    where holder.email = ${email}`.execute(queries);
  return rows[0]?.password ?? null;
}

export async function savePasswordHash(tx: Tx, playerId: PlayerId, passwordHash: string, at: Instant): Promise<void> {
  await sql`
    update auth_accounts set password = ${passwordHash}, updated_at = ${toTimestamp(at)}
    where user_id = ${playerId} and provider_id = 'credential'`.execute(tx);
}

/** The live session of this token with its player, in one query over unique keys. */
export async function loadSession(queries: Queries, token: string, at: Instant): Promise<Session | null> {
  const { rows } = await sql<
    OwnPlayerRow & { readonly updated_at: Date; readonly last_seen_at: Date; readonly role: Role | null }
  >`
    select ${OWN_PLAYER_COLUMNS}, session.updated_at, coalesce(session.seen_at, session.updated_at) as last_seen_at,
      ${roleOf(sql`profile.id`)} as role
    from auth_sessions session
    join auth_users holder on holder.id = session.user_id
    join profiles profile on profile.id = session.user_id
    where session.token = ${token} and session.expires_at > ${toTimestamp(at)}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    token,
    player: toOwnPlayer(row),
    role: row.role,
    renewedAt: fromTimestamp(row.updated_at),
    seenAt: fromTimestamp(row.last_seen_at),
  };
}

export async function loadLiveTokens(
  queries: Queries,
  tokens: readonly string[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly token: string }>`
    select token from auth_sessions where token = any(${tokens}::text[]) and expires_at > ${toTimestamp(at)}`.execute(
    queries,
  );
  return new Set(rows.map(({ token }) => token));
}

/** Returns the session's player; null if there was none. */
export async function removeSession(queries: Queries, token: string): Promise<PlayerId | null> {
  const { rows } = await sql<{ readonly user_id: PlayerId }>`
    delete from auth_sessions where token = ${token} returning user_id`.execute(queries);
  return rows[0]?.user_id ?? null;
}

export async function removeExpiredSessions(queries: Queries, playerId: PlayerId, at: Instant): Promise<void> {
  await sql`delete from auth_sessions where user_id = ${playerId} and expires_at <= ${toTimestamp(at)}`.execute(
    queries,
  );
}

/** Changes the given settings; null if there is no such player. */
export async function saveSettings(
  queries: Queries,
  playerId: PlayerId,
  { notificationsEnabled, soundEnabled, takebacksEnabled }: Settings,
  at: Instant,
): Promise<OwnPlayer | null> {
  const { rows } = await sql<OwnPlayerRow>`
    update profiles profile
    set notifications_enabled = coalesce(${notificationsEnabled ?? null}, notifications_enabled),
      sound_enabled = coalesce(${soundEnabled ?? null}, sound_enabled),
      takebacks_enabled = coalesce(${takebacksEnabled ?? null}, takebacks_enabled), updated_at = ${toTimestamp(at)}
    from auth_users holder
    where profile.id = ${playerId} and holder.id = profile.id
    returning ${OWN_PLAYER_COLUMNS}`.execute(queries);
  return rows[0] === undefined ? null : toOwnPlayer(rows[0]);
}

export async function loadPlayers(queries: Queries, ids: readonly PlayerId[]): Promise<readonly Player[]> {
  const { rows } = await sql<Player>`
    select id, username from profiles where id = any(${ids}::text[])`.execute(queries);
  return rows;
}

export async function loadProfile(queries: Queries, id: PlayerId): Promise<Profile | null> {
  const { rows } = await sql<Player & { readonly created_at: Date }>`
    select id, username, created_at from profiles where id = ${id}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return { player: { id: row.id, username: row.username }, sinceAt: fromTimestamp(row.created_at) };
}

/** Null if there is no such player. */
export async function loadTakebacksEnabled(queries: Queries, playerId: PlayerId): Promise<boolean | null> {
  const { rows } = await sql<Pick<OwnPlayerRow, "takebacks_enabled">>`
    select takebacks_enabled from profiles where id = ${playerId}`.execute(queries);
  return rows[0]?.takebacks_enabled ?? null;
}

export async function countPlayers(queries: Queries): Promise<number> {
  const { rows } = await sql<{ readonly count: bigint }>`select count(*) from profiles`.execute(queries);
  return Number(rows[0]?.count ?? 0n);
}

/** Players whose name contains the text (case-insensitive): at most 200, by name. */
export async function loadPlayersNamed(queries: Queries, text: string): Promise<readonly PlayerId[]> {
  // Usernames contain no other characters; LIKE treats only the underscore specially.
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return [];
  const pattern = `%${text.toLowerCase().replaceAll("_", "\\_")}%`;
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select id from profiles where lower(username) like ${pattern} order by lower(username) limit 200`.execute(queries);
  return rows.map(({ id }) => id);
}
