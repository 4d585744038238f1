import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { PROFILE_DEFAULTS, type ProfileFields, profileFields } from "@holo/protocol/accounts/profile.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

export interface Player {
  readonly id: PlayerId;
  readonly username: string;
}

export interface Profile {
  readonly player: Player;
  readonly sinceAt: Instant;
}

export interface OwnPlayer extends Player, ProfileFields {
  readonly email: string;
  readonly emailVerified: boolean;
}

export type ProfileChanges = { readonly [Field in keyof ProfileFields]?: ProfileFields[Field] | undefined };

const PROFILE_FIELDS = profileFields.keyof().options;

function columnOf(field: keyof ProfileFields): RawBuilder<unknown> {
  return sql.ref(field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** An `OwnPlayer`, of `profiles profile` and `players player`. */
export const OWN_PLAYER_COLUMNS = sql`profile.id, profile.username, player.email, player.email_verified as "emailVerified",
  ${sql.join(PROFILE_FIELDS.map((field) => sql`profile.${columnOf(field)} as ${sql.ref(field)}`))}`;

function toAssignments(changes: ProfileChanges): readonly RawBuilder<unknown>[] {
  const changed = PROFILE_FIELDS.filter((field) => changes[field] !== undefined);
  return changed.map((field) => sql`${columnOf(field)} = ${changes[field]}, `);
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

export async function saveProfileChanges(
  queries: Queries,
  playerId: PlayerId,
  changes: ProfileChanges,
  at: Instant,
): Promise<OwnPlayer | null> {
  const { rows } = await sql<OwnPlayer>`
    update profiles profile set ${sql.join(toAssignments(changes), sql``)} updated_at = ${toTimestamp(at)}
    from players player
    where profile.id = ${playerId} and player.id = profile.id
    returning ${OWN_PLAYER_COLUMNS}`.execute(queries);
  return rows[0] ?? null;
}

/** Gives a deleted account another name and the settings of a new one. */
export async function removeProfile(tx: Tx, playerId: PlayerId, pseudonym: string, at: Instant): Promise<void> {
  await sql`
    update profiles set ${sql.join(toAssignments(PROFILE_DEFAULTS), sql``)} username = ${pseudonym},
      updated_at = ${toTimestamp(at)} where id = ${playerId}`.execute(tx);
}

export async function findPlayers(queries: Queries, ids: readonly PlayerId[]): Promise<ReadonlyMap<PlayerId, Player>> {
  const { rows } = await sql<Player>`
    select id, username from profiles where id = any(${ids}::text[])`.execute(queries);
  return new Map(rows.map((player) => [player.id, player]));
}

export async function findProfile(queries: Queries, id: PlayerId): Promise<Profile | null> {
  return await loadProfile(queries, sql`id = ${id}`);
}

/** Without regard to case. */
export async function findProfileNamed(queries: Queries, name: string): Promise<Profile | null> {
  return await loadProfile(queries, sql`lower(username) = lower(${name})`);
}

async function loadProfile(queries: Queries, isWanted: RawBuilder<unknown>): Promise<Profile | null> {
  const { rows } = await sql<Player & { readonly created_at: Date }>`
    select id, username, created_at from profiles where ${isWanted}`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return { player: { id: row.id, username: row.username }, sinceAt: fromTimestamp(row.created_at) };
}

/** Ruling 18. Default: yes. */
export async function acceptsTakebacks(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<Pick<ProfileFields, "takebacksEnabled">>`
    select takebacks_enabled as "takebacksEnabled" from profiles where id = ${playerId}`.execute(queries);
  return rows[0]?.takebacksEnabled ?? PROFILE_DEFAULTS.takebacksEnabled;
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
