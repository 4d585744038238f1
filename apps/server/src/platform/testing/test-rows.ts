import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database.ts";

/** What tells one state of the database from every other: of each table how many rows it has and which transactions wrote them. */
export type Fingerprint = Readonly<Record<string, string>>;

/** The server writes here by itself how many are about, whatever anybody asks. */
const BY_ITSELF = "realtime_stats";

/**
 * Makes a reading of every table but those named. Two readings are equal where nothing was written between them: an update leaves the
 * count as it is, but not the transaction that wrote the row.
 */
export async function makeFingerprint(
  { kysely }: Pick<Database, "kysely">,
  leftOut: readonly string[] = [],
): Promise<() => Promise<Fingerprint>> {
  const { rows: tables } = await sql<{ readonly name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${[BY_ITSELF, ...leftOut]}::text[])`.execute(
    kysely,
  );
  const readings: readonly RawBuilder<unknown>[] = tables.map(
    ({ name }) => sql`
      select ${name} as name, count(*) || ' rows by ' || coalesce(sum(xmin::text::bigint), 0) as reading from ${sql.table(name)}`,
  );
  const all = sql<{ readonly name: string; readonly reading: string }>`${sql.join(readings, sql` union all `)}`;
  return async () => {
    const { rows } = await all.execute(kysely);
    return Object.fromEntries(rows.map(({ name, reading }) => [name, reading]));
  };
}
