import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";

export async function loadPasswordHash(queries: Queries, playerId: PlayerId): Promise<string | null> {
  const { rows } = await sql<{ readonly password: string | null }>`
    select password from auth_accounts where user_id = ${playerId}`.execute(queries);
  return rows[0]?.password ?? null;
}

interface Credentials {
  readonly playerId: PlayerId;
  readonly hash: string;
}

/** `email` is normalized. Null if the address has no account, or one without a password. */
export async function findCredentials(queries: Queries, email: string): Promise<Credentials | null> {
  const { rows } = await sql<Credentials>`
    select holder.id as "playerId", account.password as hash from auth_users holder
    join auth_accounts account on account.user_id = holder.id
    where holder.email = ${email} and account.password is not null`.execute(queries);
  return rows[0] ?? null;
}

export async function savePasswordHash(tx: Tx, playerId: PlayerId, hash: string, at: Instant): Promise<void> {
  const stamp = toTimestamp(at);
  await sql`
    insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    values (${playerId}, ${playerId}, ${playerId}, 'credential', ${hash}, ${stamp}, ${stamp})
    on conflict (id) do update set password = excluded.password, updated_at = excluded.updated_at`.execute(tx);
}
