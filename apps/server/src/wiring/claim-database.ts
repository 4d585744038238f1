import process from "node:process";
import type { Config } from "../config.ts";
import { assertNoUnfinishedRestore } from "../operations/backup/unfinished-restore.ts";
import { explainConnectionFault } from "../platform/database/connection-fault.ts";
import { type Database, nameSessions, openDatabase } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrations.ts";
import type { Log } from "../platform/log.ts";
import { startEmbeddedPostgres } from "../platform/postgres/embedded-postgres.ts";
import { randomUUID } from "../platform/runtime.ts";
import { takeServerLease } from "../platform/server-lease.ts";

export interface ClaimedDatabase {
  readonly database: Database;
  /** Names the sessions of this process. */
  readonly process: string;
  /** Lets other servers start. Only the first call has an effect. */
  releaseLease(): Promise<void>;
}

/** A starting server waits this long for other starting servers. */
const STARTS_MS_MAX = 60_000;

/**
 * Starts the embedded PostgreSQL unless there is another, takes the lease and migrates. `opened`
 * takes what has to be closed.
 */
export async function claimDatabase(
  config: Config,
  log: Log,
  signal: AbortSignal | undefined,
  opened: AsyncDisposableStack,
): Promise<ClaimedDatabase> {
  try {
    return await claim(config, log, signal, opened);
  } catch (error) {
    throw config.databaseUrl === null ? error : explainConnectionFault(error, config.databaseUrl);
  }
}

async function claim(
  { dataDir, databaseUrl, nats }: Config,
  log: Log,
  signal: AbortSignal | undefined,
  opened: AsyncDisposableStack,
): Promise<ClaimedDatabase> {
  assertNoUnfinishedRestore(dataDir);
  const postgres = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log, signal }) : null;
  if (postgres !== null) opened.defer(postgres.stop);
  signal?.throwIfAborted();
  const connectionString = postgres?.connectionString ?? databaseUrl!;
  const lease = await takeServerLease({
    connectionString,
    log,
    // Servers that share the database hold it while they start, one after the other.
    ...(nats !== null && { patienceMs: STARTS_MS_MAX }),
    onLost: (err) => {
      log.fatal({ err }, "another server took over the database");
      process.exit(1);
    },
  });
  let isReleased = false;
  async function releaseLease(): Promise<void> {
    if (isReleased) return;
    isReleased = true;
    await lease.release();
  }
  opened.defer(releaseLease);
  signal?.throwIfAborted();
  await migrate(connectionString, { signal, report: (text) => log.warn(text) });
  const own = randomUUID();
  const database = openDatabase({ connectionString: nameSessions(connectionString, own), log });
  opened.defer(database.close);
  return { database, process: own, releaseLease };
}
