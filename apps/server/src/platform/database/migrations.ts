import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { type Tx, toClientConfig } from "./database.ts";

interface MigrationFile {
  /** SQL statements, run in one transaction with all pending migrations. */
  readonly up: string;
  /**
   * Statements that run after `up`, one at a time and outside a transaction, while other servers
   * keep running. Each must be safe to repeat.
   */
  readonly online?: readonly string[];
}

interface LoadedMigration extends Migration {
  readonly online: readonly string[];
}

type LoadedMigrations = Readonly<Record<string, LoadedMigration>>;

const FOLDER = fileURLToPath(new URL("../../../migrations", import.meta.url));
const FILE_NAME = /^\d{3}-[a-z0-9-]+\.ts$/;

/** A later release migrated the database; this release must not write to it. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

async function loadMigration(folder: string, file: string): Promise<LoadedMigration> {
  const loaded: MigrationFile = await import(pathToFileURL(path.join(folder, file)).href);
  if (typeof loaded.up !== "string") throw new Error(`the migration ${file} exports no SQL text named up`);
  return {
    online: loaded.online ?? [],
    async up(queries) {
      await sql.raw(loaded.up).execute(queries);
    },
  };
}

async function loadMigrations(folder: string): Promise<LoadedMigrations> {
  const migrations: Record<string, LoadedMigration> = {};
  for (const file of (await readdir(folder)).sort()) {
    if (!FILE_NAME.test(file)) throw new Error(`${file} in ${folder} is not named like 200-ledger.ts`);
    migrations[file.slice(0, -".ts".length)] = await loadMigration(folder, file);
  }
  return migrations;
}

async function assertNotNewer(queries: Kysely<unknown>, known: LoadedMigrations): Promise<void> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    queries,
  );
  if (!table.rows[0]?.exists) return;
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(queries);
  const unknown = applied.rows.map((row) => row.name).filter((name) => !(name in known));
  if (unknown.length > 0) {
    throw new NewerSchema(
      `the database has migrations this release does not know (${unknown.join(", ")}): start the release that made them`,
    );
  }
}

export async function listMigrations(): Promise<readonly string[]> {
  return Object.keys(await loadMigrations(FOLDER));
}

async function migrateUp(queries: Kysely<unknown>, migrations: LoadedMigrations): Promise<readonly string[]> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "the schema";
    throw new Error(`could not migrate ${failed}`, { cause: error });
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** Also finishes what an interrupted start left undone. */
async function migrateOnline(pool: pg.Pool, migrations: LoadedMigrations): Promise<void> {
  const waiting = Object.entries(migrations).filter(([, { online }]) => online.length > 0);
  if (waiting.length === 0) return;
  await pool.query("create table if not exists migrations_online (name text primary key)");
  const { rows: done } = await pool.query<{ name: string }>("select name from migrations_online");
  for (const [name, { online }] of waiting) {
    if (done.some((one) => one.name === name)) continue;
    // An interrupted build leaves an invalid index.
    const { rows: broken } = await pool.query<{ index: string }>(
      "select indexrelid::regclass::text as index from pg_index where not indisvalid",
    );
    for (const { index } of broken) await pool.query(`drop index concurrently if exists ${index}`);
    for (const statement of online) await pool.query(statement);
    await pool.query("insert into migrations_online (name) values ($1)", [name]);
  }
}

/** Migrates inside an open transaction: the named migrations, or all. */
export async function migrateWithin(tx: Tx, names?: readonly string[]): Promise<void> {
  const known = await loadMigrations(FOLDER);
  const wanted = Object.entries(known).filter(([name]) => names?.includes(name) ?? true);
  await migrateUp(tx, Object.fromEntries(wanted));
  for (const [, { online }] of wanted)
    for (const statement of online) await sql.raw(statement.replace(/ concurrently\b/i, "")).execute(tx);
}

/**
 * Migrates the schema, all or nothing, under Kysely's advisory lock. Returns the names applied;
 * throws `NewerSchema` if the database is ahead of the code.
 */
export async function migrate(connectionString: string, folder = FOLDER): Promise<readonly string[]> {
  const limits = { lockTimeoutMs: 30_000, statementTimeoutMs: 0 };
  // Kysely holds its lock on one connection and inspects the schema over another.
  const pool = new pg.Pool({ ...toClientConfig({ connectionString, ...limits }), max: 2 });
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrations = await loadMigrations(folder);
    await assertNotNewer(queries, migrations);
    const applied = await migrateUp(queries, migrations);
    await migrateOnline(pool, migrations);
    return applied;
  } finally {
    await pool.end();
  }
}
