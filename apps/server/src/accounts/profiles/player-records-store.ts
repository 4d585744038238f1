import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";

export interface PlayerRecord {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly sinceAt: Instant;
}

async function loadFound(queries: Queries, rest: RawBuilder<unknown>): Promise<readonly PlayerRecord[]> {
  const { rows } = await sql<Omit<PlayerRecord, "sinceAt"> & { readonly created_at: Date }>`
    select profile.id, profile.username, player.email, player.email_verified as "isVerified", profile.created_at
    from profiles profile join players player on player.id = profile.id ${rest}`.execute(queries);
  return rows.map(({ created_at: createdAt, ...player }) => ({ ...player, sinceAt: fromTimestamp(createdAt) }));
}

export async function findPlayerRecord(queries: Queries, id: PlayerId): Promise<PlayerRecord | null> {
  return (await loadFound(queries, sql`where profile.id = ${id}`))[0] ?? null;
}

interface PlayerRecordSearch {
  readonly text: string;
  readonly ids: readonly PlayerId[];
  /** A username: results after it. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Players whose name or address contains the text (case-insensitive) or whose id matches: first
 * those whose name, address or id it is, then by name.
 */
export async function searchPlayerRecords(
  queries: Queries,
  { text, ids, after, limit }: PlayerRecordSearch,
): Promise<readonly PlayerRecord[]> {
  const wanted = text.toLowerCase();
  const pattern = `%${wanted.replace(/[\\%_]/g, "\\$&")}%`;
  const isExact = sql`(lower(profile.username) = ${wanted} or lower(player.email) = ${wanted} or profile.id = ${text})`;
  return await loadFound(
    queries,
    sql`
    where (lower(profile.username) like ${pattern} or lower(player.email) like ${pattern} or profile.id = ${text}
        or profile.id = any(${[...ids]}))
      and (${after}::text is null or (lower(profile.username) > lower(${after}) and not ${isExact}))
    order by ${isExact} desc, lower(profile.username) limit ${limit}`,
  );
}
