import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { type Tx, toClientConfig } from "./database.ts";

/**
 * Exports of a migration file: SQL statements, run in one transaction with all pending migrations.
 */
interface MigrationFile {
  readonly up: string;
}

const FOLDER = fileURLToPath(new URL("../../../migrations", import.meta.url));
const FILE_NAME = /^\d{3}-[a-z0-9-]+\.ts$/;

/** A later release migrated the database; this release must not write to it. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

async function loadMigration(folder: string, file: string): Promise<Migration> {
  const loaded: MigrationFile = await import(pathToFileURL(path.join(folder, file)).href);
  if (typeof loaded.up !== "string") throw new Error(`the migration ${file} exports no SQL text named up`);
  return {
    async up(queries) {
      await sql.raw(loaded.up).execute(queries);
    },
  };
}

async function loadMigrations(folder: string): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const file of (await readdir(folder)).sort()) {
    if (!FILE_NAME.test(file)) throw new Error(`${file} in ${folder} is not named like 001-ledger.ts`);
    migrations[file.slice(0, -".ts".length)] = await loadMigration(folder, file);
  }
  return migrations;
}

async function assertNotNewer(queries: Kysely<unknown>, known: Record<string, Migration>): Promise<void> {
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

/** The migrations of this release, in order. */
export async function listMigrations(): Promise<readonly string[]> {
  return Object.keys(await loadMigrations(FOLDER));
}

async function migrateUp(queries: Kysely<unknown>, migrations: Record<string, Migration>): Promise<readonly string[]> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "the schema";
    throw new Error(`could not migrate ${failed}`, { cause: error });
  }
  return (results ?? []).map((result) => result.migrationName);
}

/**
 * Migrates inside an open transaction.
 * @param names the migrations to apply; default: all
 */
export async function migrateWithin(tx: Tx, names?: readonly string[]): Promise<void> {
  const known = await loadMigrations(FOLDER);
  const wanted = Object.entries(known).filter(([name]) => names?.includes(name) ?? true);
  await migrateUp(tx, Object.fromEntries(wanted));
}

/**
 * Migrates the schema, all or nothing, under Kysely's advisory lock, so that two simultaneous
 * starts migrate once. Throws `NewerSchema` if the database is ahead of the code. Returns the names
 * of the migrations applied.
 */
export async function migrate(connectionString: string, folder = FOLDER): Promise<readonly string[]> {
  const limits = { lockTimeoutMs: 30_000, statementTimeoutMs: 0 };
  // Kysely holds its lock on one connection and inspects the schema over another.
  const pool = new pg.Pool({ ...toClientConfig({ connectionString, ...limits }), max: 2 });
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrations = await loadMigrations(folder);
    await assertNotNewer(queries, migrations);
    return await migrateUp(queries, migrations);
  } finally {
    await pool.end();
  }
}
