import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { performance, randomUUID } from "./runtime.ts";

interface ReadinessDeps {
  readonly pool: Database["pool"];
  readonly folders: readonly string[];
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A write costs more than a query, and anyone can request the check. */
const WRITE_EVERY_MS = 2_000;

/**
 * Sorts more than fits in memory, which needs free disk space and changes nothing. Without it the
 * first move that needs a new page would notice a full disk.
 */
const SPILL = `set local work_mem = '64kB';
  select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`;

/** Without an archive nothing fails. A success after a failure ends it. */
const ARCHIVE = `select count(*)::int as failing from pg_stat_archiver
  where current_setting('archive_mode') <> 'off' and last_failed_time > coalesce(last_archived_time, '-infinity')`;

const PROBE_BYTES = 4_096;

async function loadFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function writeTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `.${randomUUID()}.probe`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES));
  } finally {
    await rm(file, { force: true });
  }
}

/** Checks whether the database responds, and every two seconds also whether writing is possible. */
export function makeReadiness({ pool, folders, log, metrics }: ReadinessDeps): () => Promise<boolean> {
  const ready = metrics.gauge("holo_ready", "1 if the database and folders were usable at the last check, else 0");
  const free = metrics.gauge("holo_disk_free_bytes", "Free bytes on the fullest disk that the server writes to");
  const archive = metrics.gauge("holo_wal_archive_failing", "1 if PostgreSQL's last attempt to archive its log failed");
  let writtenMs = Number.NEGATIVE_INFINITY;
  let asked: Promise<boolean> | null = null;

  const check = async (): Promise<boolean> => {
    const nowMs = performance.now();
    const isDue = nowMs - writtenMs >= WRITE_EVERY_MS;
    try {
      await pool.query(isDue ? SPILL : "select 1");
      if (isDue) {
        await Promise.all(folders.map(writeTo));
        if (folders.length > 0) free.set(Math.min(...(await Promise.all(folders.map(loadFreeBytes)))));
        const { rows } = await pool.query<{ failing: number }>(ARCHIVE);
        archive.set(rows[0]?.failing ?? 0);
        writtenMs = nowMs;
      }
      ready.set(1);
      return true;
    } catch (err) {
      writtenMs = Number.NEGATIVE_INFINITY;
      ready.set(0);
      log.warn({ err }, "the server is not ready: the database or a folder is unusable");
      return false;
    }
  };

  // Concurrent callers share one check.
  return () => {
    asked ??= check().finally(() => {
      asked = null;
    });
    return asked;
  };
}
