import { addMs, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import pg from "pg";
import { type Queries, toClientConfig } from "./database/database.ts";
import { fromTimestamp, toTimestamp } from "./database/timestamp.ts";
import { type Log, noteDatabaseAnswer } from "./log.ts";
import { randomUUID, sleep } from "./runtime.ts";
import { SUSPICIOUS_DRIFT_MS, type Time } from "./time/time.ts";

export interface OwnServer {
  readonly serverId: string;
  /** When the previous boots last served; null if none did, or if another server serves now. */
  readonly previousSeenAt: Instant | null;
  /** The server listens; the next heartbeat stores it. */
  startServing(): void;
  /** The server stops listening: later heartbeats do not count as service. */
  stopServing(): void;
  leave(): Promise<void>;
}

interface ServerOptions {
  readonly connectionString: string;
  readonly log: Log;
  readonly time: Time;
  readonly name: string;
  readonly serverId?: string;
  readonly isShared?: boolean;
  /** Called after each heartbeat: the database answers. */
  readonly onBeat: () => void;
}

const BEAT_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 100;
/** One delayed heartbeat makes its server look behind, so later heartbeats are read too. */
const AHEAD_READINGS = 4;
/** A server without heartbeats for longer has ended. */
export const GONE_AFTER_MS = 3 * SECOND_MS;

async function connect(connectionString: string, log: Log): Promise<pg.Client> {
  const config = toClientConfig({ connectionString, statementTimeoutMs: 5_000 });
  const client = new pg.Client({ ...config, query_timeout: 6_000 });
  client.on("error", (err) => log.warn({ err }, "the connection that sends heartbeats was lost"));
  await client.connect();
  return client;
}

export async function loadLastSeenAt(client: Pick<pg.ClientBase, "query">): Promise<Instant | null> {
  const { rows } = await client.query<{ last_seen_at: Date | null }>(
    "select max(last_seen_at) as last_seen_at from servers where serving_at is not null",
  );
  const lastSeen = rows[0]?.last_seen_at ?? null;
  return lastSeen === null ? null : fromTimestamp(lastSeen);
}

/**
 * How far the running servers' clock is ahead of the database's, which may have been set since they
 * started; null if none of them shares the database.
 */
export async function loadAheadMs(client: Pick<pg.ClientBase, "query">): Promise<number | null> {
  let mostMs: number | null = null;
  for (let reading = 0; reading < AHEAD_READINGS; reading += 1) {
    if (reading > 0) await sleep(BEAT_EVERY_MS);
    const { rows } = await client.query<{ ahead_ms: number | null }>(
      `select max(extract(epoch from last_seen_at - database_at)::float8 * 1000) as ahead_ms from servers
       where is_shared and database_at between clock_timestamp() - $1 * interval '1 millisecond' and clock_timestamp()`,
      [GONE_AFTER_MS],
    );
    const aheadMs = rows[0]?.ahead_ms ?? null;
    if (aheadMs !== null) mostMs = Math.max(mostMs ?? aheadMs, aheadMs);
    if (mostMs === null || mostMs >= -SUSPICIOUS_DRIFT_MS) return mostMs;
  }
  return mostMs;
}

/**
 * Deletes boots that ended before, except the newest that served: the next outage is measured from
 * it.
 */
export async function removeOldServers(queries: Queries, before: Instant): Promise<void> {
  await sql`
    delete from servers where last_seen_at < ${toTimestamp(before)} and last_seen_at < (
      select max(served.last_seen_at) from servers served where served.serving_at is not null)`.execute(queries);
}

/**
 * Whether other servers share the database now. Waits for a heartbeat of those seen a moment ago,
 * so that a killed server does not count as running.
 */
async function isSharedNow(client: pg.Client, time: Time): Promise<boolean> {
  const first = new Map<string, number>();
  for (;;) {
    const { rows } = await client.query<{ server_id: string; last_seen_at: Date }>(
      "select server_id, last_seen_at from servers where is_shared and ended_at is null and last_seen_at > $1",
      [toTimestamp(addMs(time.now(), -GONE_AFTER_MS))],
    );
    if (rows.length === 0) return false;
    if (rows.some((row) => (first.get(row.server_id) ?? row.last_seen_at.getTime()) < row.last_seen_at.getTime()))
      return true;
    for (const row of rows) first.set(row.server_id, row.last_seen_at.getTime());
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Registers this boot and sends a heartbeat every second, so that the next boot knows when service
 * ended. Throws for a server without NATS on a shared database.
 */
export async function joinServers(options: ServerOptions): Promise<OwnServer> {
  const { connectionString, log, time, name, serverId = randomUUID(), isShared = false, onBeat } = options;
  const startedAt = time.now();
  let client: pg.Client | null = await connect(connectionString, log);
  const hasOthers = await isSharedNow(client, time);
  if (hasOthers && !isShared) {
    await client.end();
    throw new Error("servers with NATS_URL run on this database: set it here too, or stop them");
  }
  const previousSeenAt = hasOthers ? null : await loadLastSeenAt(client);
  // This server credits the outage since the last one ended, once.
  if (!hasOthers) await client.query("update servers set ended_at = last_seen_at where is_shared and ended_at is null");
  await client.query(
    "insert into servers (server_id, name, started_at, last_seen_at, is_shared) values ($1, $2, $3, $3, $4)",
    [serverId, name, toTimestamp(startedAt), isShared],
  );

  let servingAt: Instant | null = null;
  let stoppedAt: Instant | null = null;

  const beat = async (): Promise<void> => {
    client ??= await connect(connectionString, log);
    const at = toTimestamp(stoppedAt ?? time.now());
    const serving = servingAt === null ? null : toTimestamp(servingAt);
    // Others may have assumed that this server has ended.
    const text = `update servers set last_seen_at = $2, serving_at = $3, ended_at = null,
      database_at = case when $4 then clock_timestamp() end where server_id = $1`;
    await client.query(text, [serverId, at, serving, stoppedAt === null]);
    noteDatabaseAnswer(log);
    onBeat();
  };

  const giveUpConnection = async (): Promise<void> => {
    const lost = client;
    client = null;
    await lost?.end().catch((err) => log.debug({ err }, "the lost connection could not be closed"));
  };

  let isLeaving = false;
  let pending: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    while (!isLeaving) {
      await sleep(BEAT_EVERY_MS, undefined, { ref: false });
      if (isLeaving) return;
      try {
        await beat();
      } catch (err) {
        log.error({ err }, "a heartbeat failed");
        await giveUpConnection();
      }
    }
  };
  pending = run();

  return {
    serverId,
    previousSeenAt,
    startServing() {
      servingAt = time.now();
      // Stored immediately: others credit the players of a lost server only if it served.
      beat().catch((err) => log.warn({ err }, "the start could not be stored yet; the next heartbeat stores it"));
    },
    stopServing() {
      stoppedAt ??= time.now();
    },
    async leave() {
      isLeaving = true;
      await Promise.race([pending, sleep(2 * BEAT_EVERY_MS)]);
      await beat().catch((err) => log.warn({ err }, "the last heartbeat failed; the database is unreachable"));
      await giveUpConnection();
    },
  };
}
