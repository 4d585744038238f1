import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { migrateUntil } from "../platform/testing/old-schema.ts";
import { createEmptyTestDatabase } from "../platform/testing/test-database.ts";

/**
 * One gzipped file per database; each line holds a table's name, a tab, and its rows as a JSON
 * array.
 */
const DUMPS = fileURLToPath(new URL("./old-databases", import.meta.url));
const LAST_MIGRATION = "550-held-mailboxes.ts";

async function loadDump(client: pg.Client, dump: string): Promise<void> {
  const tables = gunzipSync(readFileSync(path.join(DUMPS, dump)))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t", 2) as [table: string, rows: string]);
  // Append-only guards and foreign keys were satisfied when the rows were written.
  await client.query("set session_replication_role = replica");
  await client.query(`truncate ${tables.map(([table]) => table).join(", ")} cascade`);
  for (const [table, rows] of tables) {
    const columns = await client.query<{ list: string }>(
      `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const list = columns.rows[0]?.list;
    await client.query(
      `insert into ${table} (${list}) overriding system value
       select ${list} from json_populate_recordset(null::${table}, $1)`,
      [rows],
    );
  }
}

export async function createOldDatabase(dump: string): Promise<string> {
  const connectionString = await createEmptyTestDatabase();
  await migrateUntil(connectionString, LAST_MIGRATION);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await loadDump(client, dump);
  await client.end();
  return connectionString;
}
