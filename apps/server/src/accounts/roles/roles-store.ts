import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/** A CEO has all permissions of an admin. */
export type Role = "admin" | "ceo";

/** SQL for the current role of a player id; null for most. */
export function roleOf(playerId: RawBuilder<unknown>): RawBuilder<Role | null> {
  return sql`(
    select case when bool_or(role = 'ceo') then 'ceo' when count(*) > 0 then 'admin' end
    from user_roles where user_id = ${playerId})`;
}

export async function loadRole(queries: Queries, playerId: PlayerId): Promise<Role | null> {
  const { rows } = await sql<{ readonly role: Role | null }>`select ${roleOf(sql`${playerId}`)} as role`.execute(
    queries,
  );
  return rows[0]?.role ?? null;
}

export async function loadRoles(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Role>> {
  const { rows } = await sql<{ readonly id: PlayerId; readonly role: Role }>`
    select user_id as id, case when bool_or(role = 'ceo') then 'ceo' else 'admin' end as role
    from user_roles where user_id = any(${[...playerIds]}) group by user_id`.execute(queries);
  return new Map(rows.map(({ id, role }) => [id, role]));
}

/** How many members the staff have. */
export async function countMembers(queries: Queries): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(distinct user_id)::int as count from user_roles`.execute(queries);
  return rows[0]!.count;
}

interface ListedAdmin {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly username: string | null;
}

/** "Admi" in ASCII: serializes changes of the list. */
const ADMINS_LOCK = 0x41646d69;

export async function lockAdmins(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINS_LOCK})`.execute(tx);
}

/** Oldest first. */
export async function loadAdmins(queries: Queries): Promise<readonly ListedAdmin[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly email: string;
    readonly is_verified: boolean;
    readonly username: string | null;
  }>`
    select listed.id, listed.email, coalesce(player.email_verified, false) as is_verified, profile.username
    from admin_emails listed
    left join players player on player.email = lower(listed.email)
    left join profiles profile on profile.id = player.id
    order by listed.created_at, listed.id`.execute(queries);
  return rows.map(({ id, email, is_verified, username }) => ({
    id,
    email,
    isVerified: is_verified,
    username,
  }));
}

/** The caller holds the lock and has checked that the address is not listed. */
export async function saveAdmin(
  tx: Tx,
  { email, addedBy, at }: { readonly email: string; readonly addedBy: PlayerId; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into admin_emails (id, email, created_at, added_by)
    values (gen_random_uuid(), ${email}, ${at}, ${addedBy})`.execute(tx);
}

export async function removeAdmin(tx: Tx, id: string): Promise<void> {
  await sql`delete from admin_emails where id = ${id}`.execute(tx);
}

interface Owner {
  readonly email: string;
  readonly isVerified: boolean;
}

/** Null before the first start. */
export async function loadOwner(queries: Queries): Promise<Owner | null> {
  const { rows } = await sql<{ readonly email: string; readonly is_verified: boolean }>`
    select owner.email, coalesce(player.email_verified, false) as is_verified
    from owner_email owner left join players player on player.email = owner.email`.execute(queries);
  return rows[0] === undefined ? null : { email: rows[0].email, isVerified: rows[0].is_verified };
}

/** Replaces the owner's address; the previous owner loses the role. False if unchanged. */
export async function saveOwner(queries: Queries, email: string, at: Instant): Promise<boolean> {
  const { rows } = await sql`
    insert into owner_email as kept (email, updated_at) values (${email}, ${at})
    on conflict (is_only) do update set email = excluded.email, updated_at = excluded.updated_at
    where kept.email <> excluded.email returning email`.execute(queries);
  return rows.length === 1;
}
