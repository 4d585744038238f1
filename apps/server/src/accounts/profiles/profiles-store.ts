import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

export interface Player {
  readonly id: PlayerId;
  readonly username: string;
}

interface Profile {
  readonly player: Player;
  readonly sinceAt: Instant;
}

export interface OwnPlayer extends Player {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly notificationsEnabled: boolean;
  readonly soundEnabled: boolean;
  /** False: opponents cannot ask this player for takebacks (ruling 18). */
  readonly takebacksEnabled: boolean;
}

export interface Settings {
  readonly notificationsEnabled?: boolean | undefined;
  readonly soundEnabled?: boolean | undefined;
  readonly takebacksEnabled?: boolean | undefined;
}

export interface OwnPlayerRow {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly notifications_enabled: boolean;
  readonly sound_enabled: boolean;
  readonly takebacks_enabled: boolean;
}

export const OWN_PLAYER_COLUMNS = sql`profile.id, profile.username, holder.email, holder.email_verified, profile.notifications_enabled,
  profile.sound_enabled, profile.takebacks_enabled`;

export function toOwnPlayer(row: OwnPlayerRow): OwnPlayer {
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

/** "Holo" in ASCII: serializes registrations, so that "taken" always refers to a committed row. */
const REGISTRATION_LOCK = 0x486f6c6f;

export async function lockRegistration(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`.execute(tx);
}

export async function isUsernameTaken(tx: Tx, username: string): Promise<boolean> {
  const { rows } = await sql`select from profiles where lower(username) = lower(${username})`.execute(tx);
  return rows.length > 0;
}

export async function saveProfile(tx: Tx, { id, username }: Player, at: Instant): Promise<void> {
  const stamp = toTimestamp(at);
  await sql`
    insert into profiles (id, username, created_at, updated_at)
    values (${id}, ${username}, ${stamp}, ${stamp})`.execute(tx);
}

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

export async function findPlayers(queries: Queries, ids: readonly PlayerId[]): Promise<ReadonlyMap<PlayerId, Player>> {
  const { rows } = await sql<Player>`
    select id, username from profiles where id = any(${ids}::text[])`.execute(queries);
  return new Map(rows.map((player) => [player.id, player]));
}

export async function findProfile(queries: Queries, id: PlayerId): Promise<Profile | null> {
  const { rows } = await sql<Player & { readonly created_at: Date }>`
    select id, username, created_at from profiles where id = ${id}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return { player: { id: row.id, username: row.username }, sinceAt: fromTimestamp(row.created_at) };
}

/** Ruling 18. Default: yes. */
export async function acceptsTakebacks(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<Pick<OwnPlayerRow, "takebacks_enabled">>`
    select takebacks_enabled from profiles where id = ${playerId}`.execute(queries);
  return rows[0]?.takebacks_enabled ?? true;
}

export async function countPlayers(queries: Queries): Promise<number> {
  const { rows } = await sql<{ readonly count: bigint }>`select count(*) from profiles`.execute(queries);
  return Number(rows[0]?.count ?? 0n);
}

/**
 * Players whose name contains the text (case-insensitive): at most 200, by name, and the one whose
 * name it is.
 */
export async function searchPlayers(queries: Queries, text: string): Promise<readonly PlayerId[]> {
  // Usernames contain no other characters; LIKE treats only the underscore specially.
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return [];
  const name = text.toLowerCase();
  const pattern = `%${name.replaceAll("_", "\\_")}%`;
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select id from profiles where lower(username) = ${name}
    union
    (select id from profiles where lower(username) like ${pattern} order by lower(username) limit 200)`.execute(
    queries,
  );
  return rows.map(({ id }) => id);
}
