import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

/** A session as its player may see it: never its token. */
export interface SessionRecord {
  readonly id: string;
  readonly userAgent: string;
  /** Where it began on the network, an IPv6 address cut to its /64; null where that was not known. */
  readonly address: string | null;
  readonly startedAt: Instant;
  readonly seenAt: Instant;
  readonly isCurrent: boolean;
}

/** When a session was last seen is kept this precisely: a write with every request would cost more than it tells. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;

/** The player's live sessions, the one in use first, then the last seen. */
export async function loadSessions(
  queries: Queries,
  playerId: PlayerId,
  currentToken: string,
  at: Instant,
): Promise<readonly SessionRecord[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly user_agent: string | null;
    readonly ip_address: string | null;
    readonly created_at: Date;
    readonly last_seen_at: Date;
    readonly is_current: boolean;
  }>`
    select id, user_agent, ip_address, created_at, coalesce(seen_at, updated_at) as last_seen_at, token = ${currentToken} as is_current
    from auth_sessions where user_id = ${playerId} and expires_at > ${toTimestamp(at)}
    order by is_current desc, last_seen_at desc, id`.execute(queries);
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent ?? "",
    address: row.ip_address === "" ? null : row.ip_address,
    startedAt: fromTimestamp(row.created_at),
    seenAt: fromTimestamp(row.last_seen_at),
    isCurrent: row.is_current,
  }));
}

/** Notes that these sessions are in use. */
export async function saveSeen(queries: Queries, tokens: readonly string[], at: Instant): Promise<void> {
  await sql`
    update auth_sessions set seen_at = ${toTimestamp(at)}
    where token = any(${tokens}::text[])
      and coalesce(seen_at, updated_at) <= ${toTimestamp(addMs(at, -SEEN_EVERY_MS))}`.execute(queries);
}

/** Whether this token, if there is one, is of a live session of the player. */
export async function isSessionOf(
  queries: Queries,
  playerId: PlayerId,
  token: string | null,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    select from auth_sessions
    where token = ${token} and user_id = ${playerId} and expires_at > ${toTimestamp(at)}`.execute(queries);
  return rows.length > 0;
}

/** Ends one session of the player; another's is not touched. */
export async function removeSessionById(queries: Queries, playerId: PlayerId, id: string): Promise<void> {
  await sql`delete from auth_sessions where user_id = ${playerId} and id = ${id}`.execute(queries);
}

/** Ends all sessions of the player but the one of this token; null: all. */
export async function removeSessions(queries: Queries, playerId: PlayerId, keptToken: string | null): Promise<void> {
  await sql`
    delete from auth_sessions
    where user_id = ${playerId} and token is distinct from ${keptToken}::text`.execute(queries);
}

/** Deletes the sessions that have run out. */
export async function removeEndedSessions(queries: Queries, at: Instant): Promise<void> {
  await sql`delete from auth_sessions where expires_at <= ${toTimestamp(at)}`.execute(queries);
}
