import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import { randomUUID } from "../../platform/runtime.ts";
import { OWN_PLAYER_COLUMNS, type OwnPlayer, type Player } from "../profiles/profiles-store.ts";
import { type Role, roleOf } from "../roles/roles-store.ts";
import type { LivePlayerSession } from "./session-cache.ts";

export interface Session {
  /** Secret. Identifies the session to `checkSessions`; leaves the server only in its cookie. */
  readonly token: string;
  readonly player: OwnPlayer;
  /** At this request; do not keep it. */
  readonly role: Role | null;
  readonly renewedAt: Instant;
  /** Up to `SEEN_EVERY_MS` old. */
  readonly seenAt: Instant;
  readonly secondFactor: {
    readonly isOn: boolean;
    /** Since this session last gave a code; null: never. */
    readonly confirmedMs: number | null;
  };
}

export interface SessionRecord {
  readonly id: string;
  readonly userAgent: string;
  /** The network address of the login, IPv6 cut to /64; null if unknown. */
  readonly address: string | null;
  readonly startedAt: Instant;
  readonly seenAt: Instant;
  readonly isCurrent: boolean;
}

/** Precision of `seenAt`: saves a write per request. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;

export const RENEWED_EVERY_MS = 24 * 60 * MINUTE_MS;
/** Since the last renewal. */
export const SESSION_LIFE_MS = 7 * RENEWED_EVERY_MS;
/** After the login, however often the session is used. */
const AGE_MAX_MS = 30 * 24 * 60 * MINUTE_MS;

function isLiveAt(now: Instant): RawBuilder<boolean> {
  const { at, startedAfter } = toSessionClaim("", now);
  return sql`(session.expires_at > ${at} and session.started_at > ${startedAfter})`;
}

export async function loadSession(queries: Queries, token: string, at: Instant): Promise<Session | null> {
  const { rows } = await sql<
    OwnPlayer & {
      readonly renewed_at: Date;
      readonly last_seen_at: Date;
      readonly role: Role | null;
      readonly second_factor_at: Date | null;
      readonly has_second_factor: boolean;
    }
  >`
    select ${OWN_PLAYER_COLUMNS}, session.renewed_at, coalesce(session.seen_at, session.renewed_at) as last_seen_at,
      ${roleOf(sql`profile.id`)} as role, session.second_factor_at,
      exists (select from second_factors factor where factor.player_id = profile.id and factor.confirmed_at is not null)
        as has_second_factor
    from sessions session
    join players player on player.id = session.player_id
    join profiles profile on profile.id = session.player_id
    where session.token = ${token} and ${isLiveAt(at)}`.execute(queries);
  if (rows[0] === undefined) return null;
  const { renewed_at, last_seen_at, role, second_factor_at, has_second_factor: isOn, ...player } = rows[0];
  const confirmedMs = second_factor_at === null ? null : at - fromTimestamp(second_factor_at);
  return {
    token,
    player,
    role,
    renewedAt: fromTimestamp(renewed_at),
    seenAt: fromTimestamp(last_seen_at),
    secondFactor: { isOn, confirmedMs },
  };
}

export async function loadPlayerSessions(
  queries: Queries,
  tokens: readonly string[],
  at: Instant,
): Promise<readonly LivePlayerSession[]> {
  const { rows } = await sql<Player & { readonly token: string; readonly ends_at: Date }>`
    select session.token, profile.id, profile.username,
      least(session.expires_at, session.started_at + make_interval(secs => ${AGE_MAX_MS / 1_000})) as ends_at
    from sessions session join profiles profile on profile.id = session.player_id
    where session.token = any(${tokens}::text[]) and ${isLiveAt(at)}`.execute(queries);
  return rows.map((row) => ({
    token: row.token,
    player: { id: row.id, username: row.username },
    endsAt: fromTimestamp(row.ends_at),
  }));
}

export async function loadLiveTokens(
  queries: Queries,
  tokens: readonly string[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly token: string }>`
    select token from sessions session where token = any(${tokens}::text[]) and ${isLiveAt(at)}`.execute(queries);
  return new Set(rows.map(({ token }) => token));
}

interface NewSession {
  readonly token: string;
  readonly playerId: PlayerId;
  readonly address: string;
  readonly userAgent: string;
}

const USER_AGENT_LENGTH_MAX = 300;

export async function saveSession(tx: Tx, { token, playerId, address, userAgent }: NewSession, at: Instant) {
  const stamp = toTimestamp(at);
  await sql`
    insert into sessions (id, token, player_id, address, user_agent, started_at, renewed_at, expires_at)
    values (${randomUUID()}, ${token}, ${playerId}, ${address}, ${userAgent.slice(0, USER_AGENT_LENGTH_MAX)},
      ${stamp}, ${stamp}, ${toTimestamp(addMs(at, SESSION_LIFE_MS))})`.execute(tx);
}

/** False if the session has ended. */
export async function saveRenewal(queries: Queries, token: string, at: Instant): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sessions session
    set expires_at = ${toTimestamp(addMs(at, SESSION_LIFE_MS))}, renewed_at = ${toTimestamp(at)}
    where token = ${token} and ${isLiveAt(at)}`.execute(queries);
  return numAffectedRows === 1n;
}

/** Returns the session's player; null if there was none. */
export async function removeSession(queries: Queries, token: string): Promise<PlayerId | null> {
  const { rows } = await sql<{ readonly player_id: PlayerId }>`
    delete from sessions where token = ${token} returning player_id`.execute(queries);
  return rows[0]?.player_id ?? null;
}

/** Live sessions, the current one first, then by last use. */
export async function loadSessions(
  queries: Queries,
  playerId: PlayerId,
  currentToken: string,
  at: Instant,
): Promise<readonly SessionRecord[]> {
  const { rows } = await sql<{
    readonly id: string;
    readonly user_agent: string | null;
    readonly address: string | null;
    readonly started_at: Date;
    readonly last_seen_at: Date;
    readonly is_current: boolean;
  }>`
    select id, user_agent, address, started_at, coalesce(seen_at, renewed_at) as last_seen_at, token = ${currentToken} as is_current
    from sessions session where player_id = ${playerId} and ${isLiveAt(at)}
    order by is_current desc, last_seen_at desc, id`.execute(queries);
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent ?? "",
    address: row.address,
    startedAt: fromTimestamp(row.started_at),
    seenAt: fromTimestamp(row.last_seen_at),
    isCurrent: row.is_current,
  }));
}

export async function saveSeen(queries: Queries, tokens: readonly string[], at: Instant): Promise<void> {
  await sql`
    update sessions set seen_at = ${toTimestamp(at)}
    where token = any(${tokens}::text[])
      and coalesce(seen_at, renewed_at) <= ${toTimestamp(addMs(at, -SEEN_EVERY_MS))}`.execute(queries);
}

export async function loadSessionsSeen(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const { rows } = await sql<{ readonly player_id: PlayerId; readonly last_seen_at: Date }>`
    select player_id, max(coalesce(seen_at, renewed_at)) as last_seen_at from sessions
    where player_id = any(${playerIds}::text[]) group by player_id`.execute(queries);
  return new Map(rows.map((row) => [row.player_id, fromTimestamp(row.last_seen_at)]));
}

export async function isSessionOf(
  queries: Queries,
  playerId: PlayerId,
  token: string | null,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    select from sessions session
    where token = ${token} and player_id = ${playerId} and ${isLiveAt(at)}`.execute(queries);
  return rows.length > 0;
}

/**
 * What a statement needs to check that a session is live. Lock accounts, limits and wallets before
 * it.
 */
export interface SessionClaim {
  readonly token: string;
  readonly at: Date;
  /** It must have begun after this instant. */
  readonly startedAfter: Date;
}

export function toSessionClaim(token: string, at: Instant): SessionClaim {
  return { token, at: toTimestamp(at), startedAfter: toTimestamp(addMs(at, -AGE_MAX_MS)) };
}

export async function removeSessionById(queries: Queries, playerId: PlayerId, id: string): Promise<void> {
  await sql`delete from sessions where player_id = ${playerId} and id = ${id}`.execute(queries);
}

/** Ends all sessions of the player except the one to keep; null: all. */
export async function removeSessions(queries: Queries, playerId: PlayerId, keptToken: string | null): Promise<void> {
  await sql`
    delete from sessions
    where player_id = ${playerId} and token is distinct from ${keptToken}::text`.execute(queries);
}

/** `playerId` null: of all players. */
export async function removeExpiredSessions(queries: Queries, playerId: PlayerId | null, at: Instant): Promise<void> {
  await sql`
    delete from sessions session
    where not ${isLiveAt(at)} and (${playerId}::text is null or player_id = ${playerId})`.execute(queries);
}
