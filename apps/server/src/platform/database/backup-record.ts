import { sql } from "kysely";
import type { Database, Queries } from "./database.ts";
import { BASELINE } from "./migrations.ts";

interface BackupAge {
  /** The program whose last backup is the oldest; null before the first backup. */
  readonly tool: string | null;
  /** Before the first backup: since the database can record one. Never negative. */
  readonly seconds: number;
}

/** A day, and as long as a backup of a big database may take. */
export const BACKUP_SECONDS_MAX = 30 * 3_600;

/** Saves a backup that succeeded. */
export async function saveBackup(queries: Queries, takenAt: Date): Promise<void> {
  await sql`insert into backups (tool, taken_at) values ('holo-arena', ${takenAt})`.execute(queries);
}

/** Of the program that is the most behind. A backup of the instant `infinity` is never old. */
export async function loadBackupAge(pool: Database["pool"]): Promise<BackupAge> {
  const { rows } = await pool.query<BackupAge>(
    `with last as (
       select tool, max(taken_at) as taken_at from backups group by tool
       union all
       select null, timestamp::timestamptz from kysely_migration
       where name = $1 and not exists (select from backups))
     select tool, greatest(0, extract(epoch from clock_timestamp()) - extract(epoch from taken_at))::float8 as seconds
     from last order by taken_at limit 1`,
    [BASELINE],
  );
  return rows[0]!;
}
