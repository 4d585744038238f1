import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../platform/database.ts";

/** What somebody may do in the house beyond playing. A CEO may all that an admin may. */
export type Role = "admin" | "ceo";

/** The role of the player whose id this expression is, as a query finds it at this moment; null for most. */
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

/** Keeps whose address the owner's is; the one before has no role any more. */
export async function saveOwnerEmail(queries: Queries, email: string, at: Instant): Promise<void> {
  await sql`
    insert into owner_email as kept (email, updated_at) values (${email}, ${at})
    on conflict (is_only) do update set email = excluded.email, updated_at = excluded.updated_at
    where kept.email <> excluded.email`.execute(queries);
}
