import { rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { loadBackupAge } from "./database/backup-record.ts";
import type { Database } from "./database/database.ts";
import { isArchiveFailing, loadWalArchive } from "./database/wal-archive.ts";
import { makeFolder } from "./files/make-folder.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { randomUUID } from "./runtime.ts";

interface ReadinessDeps {
  readonly pool: Database["pool"];
  readonly folders: readonly string[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether there should be backups even if none was ever made. */
  readonly needsBackups: boolean;
  /** False while shutting down or while heartbeats fail, as on a read-only database. */
  readonly isServing: () => boolean;
}

interface Readiness {
  /**
   * Whether the server serves and the database answers: `/readyz`. Anyone may ask: concurrent
   * callers share one query.
   */
  isReady(): Promise<boolean>;
  /** Whether database and folders can also be written to. Sets the metrics. */
  check(): Promise<boolean>;
}

/**
 * Sorts more than fits in memory, which needs free disk space and changes nothing. Without it the
 * first move that needs a new page would notice a full disk.
 */
const SPILL = `set local work_mem = '64kB';
  select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`;

/** Throws if the database's disk is full. */
export async function writeToDatabase(pool: Pick<Database["pool"], "query">): Promise<void> {
  await pool.query(SPILL);
}

const PROBE_BYTES = 4_096;

async function loadFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function writeTo(folder: string): Promise<void> {
  await makeFolder(folder);
  const file = path.join(folder, `.${randomUUID()}.probe`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES));
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * A full disk makes `holo_ready` 0 and leaves `/readyz` alone: moves may still commit, and a proxy
 * that avoids the server would lock players out while their clocks run.
 */
export function makeReadiness(deps: ReadinessDeps): Readiness {
  const { pool, folders, log, metrics, needsBackups, isServing } = deps;
  let isAnswering = false;
  let isWritable = false;
  metrics.gauge("holo_ready", "1 if the server is ready as /readyz says, and can write to database and folders", () =>
    isServing() && isAnswering && isWritable ? 1 : 0,
  );
  const free = metrics.gauge("holo_disk_free_bytes", "Free bytes on the fullest disk that the server writes to");
  const archive = metrics.gauge("holo_wal_archive_failing", "1 if PostgreSQL's log is not archived as it should be");
  const backupAge = metrics.gauge(
    "holo_backup_age_seconds",
    "Age of the last backup that succeeded; before the first in production: of the database that lacks it, else 0",
  );
  let asked: Promise<boolean> | null = null;

  const ask = async (): Promise<boolean> => {
    try {
      await pool.query("select 1");
      isAnswering = true;
    } catch (err) {
      isAnswering = false;
      log.warn({ err }, "the server is not ready: the database does not answer");
    }
    return isAnswering;
  };

  const isReady = async (): Promise<boolean> => {
    // Without heartbeats nothing can be served, and a query would have to wait.
    if (!isServing()) return false;
    asked ??= ask().finally(() => {
      asked = null;
    });
    return await asked;
  };

  return {
    isReady,
    async check() {
      try {
        await ask();
        await writeToDatabase(pool);
        await Promise.all(folders.map(writeTo));
        if (folders.length > 0) free.set(Math.min(...(await Promise.all(folders.map(loadFreeBytes)))));
        archive.set(isArchiveFailing(await loadWalArchive(pool)) ? 1 : 0);
        const { tool, seconds } = await loadBackupAge(pool);
        backupAge.set(tool !== null || needsBackups ? seconds : 0);
        isWritable = true;
      } catch (err) {
        isWritable = false;
        log.warn({ err }, "the database or a folder is unusable");
      }
      return isWritable;
    },
  };
}
