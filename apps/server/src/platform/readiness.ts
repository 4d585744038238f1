import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";

interface ReadinessDeps {
  readonly pool: Database["pool"];
  /** Folders that the server writes to. */
  readonly folders: readonly string[];
  readonly log: Log;
}

/** Writing costs more than asking, and everyone may ask. */
const WRITE_EVERY_MS = 2_000;

/**
 * Sorts more than fits in memory, which needs free space where the database is and changes nothing.
 * Without it a full disk is noticed by the first move that needs a new page.
 */
const SPILL = `set local work_mem = '64kB';
  select count(*) from (select md5(n::text) from generate_series(1, 4000) n order by 1 offset 0) sorted`;

const PROBE_BYTES = 4_096;

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
export function makeReadiness({ pool, folders, log }: ReadinessDeps): () => Promise<boolean> {
  let writtenMs = Number.NEGATIVE_INFINITY;
  let asked: Promise<boolean> | null = null;

  const check = async (): Promise<boolean> => {
    const nowMs = performance.now();
    const isDue = nowMs - writtenMs >= WRITE_EVERY_MS;
    try {
      await pool.query(isDue ? SPILL : "select 1");
      if (isDue) await Promise.all(folders.map(writeTo));
      if (isDue) writtenMs = nowMs;
      return true;
    } catch (err) {
      writtenMs = Number.NEGATIVE_INFINITY;
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
