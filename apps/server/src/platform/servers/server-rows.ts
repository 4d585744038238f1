import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import pg from "pg";
import { type Queries, toSessionName } from "../database/database.ts";
import { toTimestamp } from "../database/timestamp.ts";
import type { Fence } from "./fence.ts";

export type EndCause = "stopped" | "gone" | "stalled";

export interface EndedServer {
  readonly serverId: string;
  /** When it last served. */
  readonly lastBeatAt: Instant;
  readonly endedAt: Instant;
  /** "stalled": its process still had sessions, so that clients may have caused it (ruling 56). */
  readonly cause: EndCause;
}

export interface RunningServer {
  readonly serverId: string;
  readonly process: string;
  readonly place: string;
  readonly isShared: boolean;
  /** As text: it grows without limit. */
  readonly beats: string;
  readonly seenAt: Instant;
  readonly hasNats: boolean;
  readonly takesPlayers: boolean;
}

type Client = Pick<pg.ClientBase, "query">;

const RUNNING = `server_id as "serverId", process, place, is_shared as "isShared",
  beats::text, seen_at::float8 as "seenAt", has_nats as "hasNats", takes_players as "takesPlayers"`;

export async function loadRunning(client: Client): Promise<readonly RunningServer[]> {
  const text = `select ${RUNNING} from servers join server_beats using (server_id) where ended_at is null`;
  return (await client.query<RunningServer>(text)).rows;
}

export async function loadDatabaseStart(client: Client): Promise<string> {
  const { rows } = await client.query<{ start: string }>(
    "select extract(epoch from pg_postmaster_start_time())::text as start",
  );
  return rows[0]!.start;
}

/** When a server last served; null if none did. */
export async function loadLastSeenAt(client: Client): Promise<Instant | null> {
  const { rows } = await client.query<{ seen_at: number | null }>(
    `select max(coalesce(last_beat_at, seen_at))::float8 as seen_at from servers left join server_beats using (server_id)
     where serving_at is not null`,
  );
  const at = rows[0]?.seen_at ?? null;
  return at === null ? null : toInstant(at);
}

interface NewServer {
  readonly serverId: string;
  readonly process: string;
  readonly place: string;
  readonly name: string;
  readonly isShared: boolean;
  readonly startedAt: Instant;
  readonly servingAt: Instant | null;
  readonly hasNats: boolean;
  readonly takesPlayers: boolean;
}

export async function insertServer(client: Client, server: NewServer): Promise<void> {
  await client.query(
    `with own as (
       insert into servers (server_id, process, place, name, is_shared, started_at, serving_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning server_id
     )
     insert into server_beats (server_id, beats, seen_at, has_nats, takes_players)
     select server_id, 0, $8, $9, $10 from own`,
    [
      server.serverId,
      server.process,
      server.place,
      server.name,
      server.isShared,
      toTimestamp(server.startedAt),
      server.servingAt === null ? null : toTimestamp(server.servingAt),
      server.startedAt,
      server.hasNats,
      server.takesPlayers,
    ],
  );
}

export async function markServing(client: Client, serverId: string, at: Instant): Promise<void> {
  await client.query("update servers set serving_at = coalesce(serving_at, $2) where server_id = $1", [
    serverId,
    toTimestamp(at),
  ]);
}

interface Beat extends Fence {
  readonly seenAt: Instant;
  readonly hasNats: boolean;
  readonly takesPlayers: boolean;
  /** The others that ran at the last reading: what became of them is read too. */
  readonly known: readonly string[];
}

export interface Reading {
  /** False: ended, or PostgreSQL was started again. */
  readonly isAlive: boolean;
  readonly running: readonly RunningServer[];
  /** Those of `known` that have ended. */
  readonly ended: readonly EndedServer[];
}

/** The lock orders it with an ending: that one reads the counter after it, or this one its end. */
const BEAT = `
  with own as materialized (
    select server_id from servers
    where server_id = $1 and ended_at is null and extract(epoch from pg_postmaster_start_time())::text = $2
    for key share
  ), beat as (
    update server_beats set beats = beats + 1, seen_at = $3, has_nats = $4, takes_players = $5
    from own where server_beats.server_id = own.server_id
    returning true
  )
  select exists (select from beat) as "isAlive", found.*
  from (values (true)) as always left join (
    select ${RUNNING}, ended_at::float8 as "endedAt", last_beat_at::float8 as "lastBeatAt", end_cause as cause
    from servers join server_beats using (server_id)
    where server_id <> $1 and (ended_at is null or server_id = any($6))
  ) found on true`;

type FoundServer = RunningServer & (EndedServer | { readonly endedAt: null });

export async function sendBeat(client: Client, beat: Beat): Promise<Reading> {
  const { rows } = await client.query<{ isAlive: boolean } & (FoundServer | { readonly serverId: null })>({
    name: "beat",
    text: BEAT,
    values: [beat.serverId, beat.databaseStart, beat.seenAt, beat.hasNats, beat.takesPlayers, beat.known],
  });
  const found = rows.filter((row) => row.serverId !== null);
  return {
    isAlive: rows[0]!.isAlive,
    running: found.filter((row) => row.endedAt === null),
    ended: found
      .filter((row) => row.endedAt !== null)
      .map(({ serverId, lastBeatAt, endedAt, cause }) => ({ serverId, lastBeatAt, endedAt, cause })),
  };
}

interface Ending {
  readonly serverId: string;
  readonly process: string;
  readonly endedAt: Instant;
  readonly lastBeatAt: Instant;
  /** Null: "stalled" if its process has sessions, else "gone". */
  readonly cause: EndCause | null;
  /** Ends it only if the counter is still this; null: in any case. */
  readonly beats: string | null;
}

const LOCK_NOT_AVAILABLE = "55P03";
const LOCK_MS_MAX = 500;
const ATTEMPTS_MAX = 2;

/**
 * Ends a server for good. Null: it has ended or has beaten meanwhile. A frozen process may hold the
 * row in an open transaction, so its sessions are terminated if the lock is not free in time.
 */
export async function endServer(client: Client, ending: Ending): Promise<EndedServer | null> {
  let { cause } = ending;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryEnd(client, { ...ending, cause });
    } catch (error) {
      await client.query("rollback");
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || attempt === ATTEMPTS_MAX) throw error;
      await terminateSessions(client, ending.process);
      cause ??= "stalled";
    }
  }
}

async function tryEnd(client: Client, { serverId, process, endedAt, lastBeatAt, cause, beats }: Ending) {
  await client.query("begin");
  await client.query(`set local lock_timeout = ${LOCK_MS_MAX}`);
  await client.query("select from servers where server_id = $1 and ended_at is null for update", [serverId]);
  // A statement of its own: its snapshot has the beat for which the lock had to wait.
  const { rows } = await client.query<EndedServer>(
    `update servers set ended_at = $2, last_beat_at = least($3::bigint, $2::bigint), end_cause = coalesce($4, case
       when exists (select from pg_stat_activity where application_name = $5 and pid <> pg_backend_pid()) then 'stalled'
       else 'gone' end)
     where server_id = $1 and ended_at is null
       and ($6::bigint is null or $6 = (select beats from server_beats where server_id = $1))
     returning server_id as "serverId", ended_at::float8 as "endedAt", last_beat_at::float8 as "lastBeatAt", end_cause as cause`,
    [serverId, endedAt, lastBeatAt, cause, toSessionName(process), beats],
  );
  await client.query("commit");
  return rows[0] ?? null;
}

async function terminateSessions(client: Client, process: string): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()",
    [toSessionName(process)],
  );
}

/** A process that goes on under a new id needs its sessions. */
export async function terminateSessionsOfEnded(client: Client, process: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = $1 and pid <> pg_backend_pid()
       and not exists (select from servers where process = $2 and ended_at is null)`,
    [toSessionName(process), process],
  );
}

/**
 * Deletes boots that ended before, except the newest that served: the next outage is measured from
 * it.
 */
export async function removeOldServers(queries: Queries, before: Instant): Promise<void> {
  await sql`
    delete from servers where last_beat_at < ${before} and last_beat_at < (
      select max(served.last_beat_at) from servers served where served.serving_at is not null)`.execute(queries);
}
