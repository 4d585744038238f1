import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

export async function loadPasswordHash(queries: Queries, playerId: PlayerId): Promise<string | null> {
  const { rows } = await sql<{ readonly password: string | null }>`
    select password from auth_accounts where user_id = ${playerId} and provider_id = 'credential'`.execute(queries);
  return rows[0]?.password ?? null;
}

/** `email` is normalized. */
export async function loadPasswordHashByEmail(queries: Queries, email: string): Promise<string | null> {
  const { rows } = await sql<{ readonly password: string | null }>`
    select account.password from auth_users holder
    join auth_accounts account on account.user_id = holder.id and account.provider_id = 'credential'
    where holder.email = ${email}`.execute(queries);
  return rows[0]?.password ?? null;
}
