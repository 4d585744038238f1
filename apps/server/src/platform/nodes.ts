import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Instant } from "@holo/kernel/instant.ts";
import pg from "pg";
import { toClientConfig } from "./database/database.ts";
import { fromTimestamp, toTimestamp } from "./database/timestamp.ts";
import type { Log } from "./log.ts";
import type { Time } from "./time/time.ts";

export interface Node {
  readonly bootId: string;
  /** When the previous boots last served; null if none did. */
  readonly previousSeenAt: Instant | null;
  /** The server listens; the next heartbeat stores it. */
  startServing(): void;
  /** The server stops listening: later heartbeats do not count as service. */
  stopServing(): void;
  /** Sends a last heartbeat. */
  leave(): Promise<void>;
}

interface NodeOptions {
  readonly connectionString: string;
  readonly log: Log;
  readonly time: Time;
  /** The machine's name, at most 255 characters. */
  readonly name: string;
  /** Called after each heartbeat: the database answers. */
  readonly onBeat: () => void;
}

const BEAT_EVERY_MS = 1_000;

async function connect(connectionString: string, log: Log): Promise<pg.Client> {
  const config = toClientConfig({ connectionString, statementTimeoutMs: 5_000 });
  const client = new pg.Client({ ...config, query_timeout: 6_000 });
  client.on("error", (err) => log.warn({ err }, "the connection that sends heartbeats was lost"));
  await client.connect();
  return client;
}

/** The newest heartbeat of a server that served. */
export async function loadLastSeenAt(client: Pick<pg.ClientBase, "query">): Promise<Instant | null> {
  const { rows } = await client.query<{ last_seen_at: Date | null }>(
    "select max(last_seen_at) as last_seen_at from nodes where serving_at is not null",
  );
  const lastSeen = rows[0]?.last_seen_at ?? null;
  return lastSeen === null ? null : fromTimestamp(lastSeen);
}

/**
 * Registers this boot and sends a heartbeat every second, so that the next boot knows when service
 * ended.
 */
export async function joinNodes({ connectionString, log, time, name, onBeat }: NodeOptions): Promise<Node> {
  const bootId = randomUUID();
  const startedAt = time.now();
  let client: pg.Client | null = await connect(connectionString, log);
  const previousSeenAt = await loadLastSeenAt(client);
  await client.query("insert into nodes (boot_id, node, started_at, last_seen_at) values ($1, $2, $3, $3)", [
    bootId,
    name,
    toTimestamp(startedAt),
  ]);

  let servingAt: Instant | null = null;
  let stoppedAt: Instant | null = null;

  const beat = async (): Promise<void> => {
    client ??= await connect(connectionString, log);
    const at = toTimestamp(stoppedAt ?? time.now());
    const serving = servingAt === null ? null : toTimestamp(servingAt);
    await client.query("update nodes set last_seen_at = $2, serving_at = $3 where boot_id = $1", [bootId, at, serving]);
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
        log.error({ err }, "no heartbeat: the database is away");
        await giveUpConnection();
      }
    }
  };
  pending = run();

  return {
    bootId,
    previousSeenAt,
    startServing() {
      servingAt = time.now();
    },
    stopServing() {
      stoppedAt ??= time.now();
    },
    async leave() {
      isLeaving = true;
      await Promise.race([pending, sleep(2 * BEAT_EVERY_MS)]);
      await beat().catch((err) => log.warn({ err }, "no last heartbeat: the database is away"));
      await giveUpConnection();
    },
  };
}
