import pg from "pg";
import { toClientConfig } from "./database/database.ts";
import { limitResponseTime } from "./database/response-timeout.ts";
import type { Log } from "./log.ts";
import { findProcess, isGone } from "./process-identity.ts";
import { performance, randomUUID, sleep } from "./runtime.ts";

export class DatabaseClaimed extends Error {
  override readonly name = "DatabaseClaimed";
}

export interface ServerLease {
  release(): Promise<void>;
}

export interface LeaseTiming {
  readonly renewEveryMs: number;
  readonly answerMs: number;
  /** A lease that was not renewed for this long is free. Longer than a hung connection lasts. */
  readonly expiresMs: number;
  readonly patienceMs: number;
}

interface ServerLeaseOptions {
  readonly connectionString: string;
  readonly log: Log;
  /** Called once if another server took the lease: this process must stop serving immediately. */
  readonly onLost: (reason: DatabaseClaimed) => void;
  readonly timing?: LeaseTiming;
  /** Overrides the value in `timing`. */
  readonly patienceMs?: number;
}

const TIMING: LeaseTiming = { renewEveryMs: 1_000, answerMs: 2_000, expiresMs: 6_000, patienceMs: 3_000 };
const LOOK_EVERY_MS = 100;

/** Held while a server takes the lease. */
export const CLAIM_LOCK = 4_873_120_001;

/** Created before the migrations, which only the holder may run. */
const TABLE = `create table if not exists server_lease (
  id boolean primary key default true check (id),
  holder uuid not null,
  place text not null,
  renewals bigint not null
)`;

interface Lease {
  readonly holder: string;
  readonly place: string;
  readonly renewals: string;
}

async function connect({ connectionString, log }: ServerLeaseOptions, timing: LeaseTiming): Promise<pg.Client> {
  const { answerMs } = timing;
  const config = toClientConfig({ connectionString, statementTimeoutMs: answerMs, lockTimeoutMs: answerMs });
  const client = new pg.Client({ ...config, connectionTimeoutMillis: answerMs });
  limitResponseTime(client, () => timing.answerMs, log);
  client.on("error", (err) => log.warn({ err }, "the connection that renews the server's lease was lost"));
  await client.connect();
  return client;
}

/** Takes the lease if it is free. Serializes servers that try at once. */
async function tryTake(
  client: pg.Client,
  holder: string,
  isFree: (lease: Lease) => boolean,
): Promise<"taken" | "busy" | Lease> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_xact_lock($1) as locked", [
    CLAIM_LOCK,
  ]);
  if (!rows[0]?.locked) return "busy";
  await client.query(TABLE);
  const found = await client.query<Lease>("select holder, place, renewals::text from server_lease");
  const held = found.rows[0];
  if (held !== undefined && !isFree(held)) return held;
  // A renewal in the meantime keeps the lease.
  const taken = await client.query(
    `insert into server_lease (holder, place, renewals) values ($1, $2, 0)
     on conflict (id) do update set holder = $1, place = $2, renewals = 0
     where server_lease.holder = $3 and server_lease.renewals = $4`,
    [holder, findProcess(process.pid), held?.holder ?? holder, held?.renewals ?? 0],
  );
  return taken.rowCount === 1 ? "taken" : "busy";
}

function toState({ holder, renewals }: Lease): string {
  return `${holder} ${renewals}`;
}

async function take(client: pg.Client, holder: string, { expiresMs, patienceMs }: LeaseTiming): Promise<void> {
  const beganMs = performance.now();
  let seen: string | null = null;
  let seenMs = beganMs;
  let hasRenewed = false;
  for (;;) {
    const isExpired = (lease: Lease): boolean => seen === toState(lease) && performance.now() - seenMs > expiresMs;
    await client.query("begin");
    const held = await tryTake(client, holder, (lease) => isGone(lease.place) || isExpired(lease));
    await client.query("commit");
    if (held === "taken") return;
    const state = held === "busy" ? held : toState(held);
    if (state !== seen || held === "busy") {
      hasRenewed ||= seen !== null || held === "busy";
      seen = state;
      seenMs = performance.now();
    }
    if (hasRenewed && performance.now() - beganMs > patienceMs) {
      throw new DatabaseClaimed("another server is running on this database: stop it first");
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Takes a lease on the database and renews it until it is released. A waiting server measures the
 * silence by its own clock. Throws `DatabaseClaimed` while another server renews.
 */
export async function takeServerLease(options: ServerLeaseOptions): Promise<ServerLease> {
  const { log, onLost, timing = TIMING } = options;
  const holder = randomUUID();
  let client: pg.Client | null = await connect(options, timing);
  try {
    await take(client, holder, { ...timing, patienceMs: options.patienceMs ?? timing.patienceMs });
  } catch (err) {
    await client.end();
    throw err;
  }

  const renew = async (): Promise<boolean> => {
    client ??= await connect(options, timing);
    const renewed = await client.query("update server_lease set renewals = renewals + 1 where holder = $1", [holder]);
    if (renewed.rowCount === 1) return true;
    const again = "insert into server_lease (holder, place, renewals) values ($1, $2, 0) on conflict (id) do nothing";
    return (await client.query(again, [holder, findProcess(process.pid)])).rowCount === 1;
  };

  const dropConnection = (): void => {
    client?.end().catch((err) => log.debug({ err }, "a lost connection could not be closed"));
    client = null;
  };

  let isReleased = false;
  const run = async (): Promise<void> => {
    while (!isReleased) {
      await sleep(timing.renewEveryMs, undefined, { ref: false });
      if (isReleased) return;
      try {
        if (await renew()) continue;
        dropConnection();
        return onLost(new DatabaseClaimed("another server took over the database"));
      } catch (err) {
        log.error({ err }, "the server's lease could not be renewed");
        dropConnection();
      }
    }
  };
  const running = run();

  return {
    async release() {
      isReleased = true;
      await Promise.race([running, sleep(2 * timing.answerMs, undefined, { ref: false })]);
      try {
        client ??= await connect(options, timing);
        await client.query("delete from server_lease where holder = $1", [holder]);
      } catch (err) {
        log.warn({ err }, "the server's lease could not be released");
      }
      dropConnection();
    },
  };
}
