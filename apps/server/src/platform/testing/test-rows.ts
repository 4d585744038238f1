import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/database.ts";

/**
 * Identifies a state of the database: per table the number of rows and the transactions that wrote
 * them.
 */
export type Fingerprint = Readonly<Record<string, string>>;

/**
 * Fingerprints every table except those named. Two fingerprints are equal if nothing was written in
 * between: an update changes the row's transaction.
 */
export async function makeFingerprint(
  { kysely }: Pick<Database, "kysely">,
  leftOut: readonly string[] = [],
): Promise<() => Promise<Fingerprint>> {
  const { rows: tables } = await sql<{ readonly name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${[...leftOut]}::text[])`.execute(
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
