import type { Database } from "./database.ts";

/** What PostgreSQL reports about the archive of its log. */
export interface WalArchive {
  readonly mode: string;
  /** 0: a segment is archived when it is full, however long that takes. */
  readonly timeoutSeconds: number;
  readonly failedAt: Date | null;
  readonly archivedAt: Date | null;
  /** Nothing can be missed before: PostgreSQL or its statistics started then. */
  readonly countedFrom: Date;
  readonly at: Date;
}

/** Segments are late that many timeouts after the last one: a slow upload is no fault. */
const LATE_TIMEOUTS = 5;

export async function loadWalArchive(pool: Database["pool"]): Promise<WalArchive> {
  const { rows } = await pool.query<WalArchive>(`
    select current_setting('archive_mode') as mode, last_failed_time as "failedAt", last_archived_time as "archivedAt",
      (select setting::int from pg_settings where name = 'archive_timeout') as "timeoutSeconds",
      greatest(stats_reset, pg_postmaster_start_time()) as "countedFrom", clock_timestamp() as at
    from pg_stat_archiver`);
  return rows[0]!;
}

/**
 * A command that hangs or is empty never fails: then no segment is archived, although heartbeats
 * fill one per timeout.
 */
export function isArchiveFailing({ mode, timeoutSeconds, failedAt, archivedAt, countedFrom, at }: WalArchive): boolean {
  if (mode === "off") return false;
  if (failedAt !== null && (archivedAt === null || archivedAt <= failedAt)) return true;
  const sinceMs = Math.max(archivedAt?.getTime() ?? 0, countedFrom.getTime());
  return timeoutSeconds > 0 && at.getTime() - sinceMs > LATE_TIMEOUTS * timeoutSeconds * 1_000;
}
