import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import { SCHEMA_FOLDER } from "../build.ts";
import { sleep } from "../runtime.ts";
import { type Queries, type Tx, toClientConfig } from "./database.ts";

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

interface Schema {
  readonly migrations: LoadedMigrations;
  /** SQL that creates all functions, also again. */
  readonly functions: string;
}

interface MigrateOptions {
  /** Has the baseline (`*.sql`), `functions/*.sql` and `migrations/*.ts`. */
  readonly folder?: string;
  /** Ends the wait for locks. */
  readonly signal?: AbortSignal | undefined;
  /** What the migration waits for, as a sentence. */
  readonly report?: (text: string) => void;
}

/** Queries of players queue behind a migration that waits for a table, so it soon gives up. */
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 30_000;
const CONCURRENTLY = / concurrently\b/i;
const LOCK_NOT_AVAILABLE = "55P03";

/** The first migration of every database: the files of the schema. */
export const BASELINE = "000-baseline";
/** Servers that start at once create functions one after the other. */
const FUNCTIONS_LOCK = 4_873_120_002;
const FILE_NAME = /^\d{3}-[a-z0-9-]+\.ts$/;

/** A later release migrated the database; this release must not write to it. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

async function readSql(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return (await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")))).join("\n");
}

/** Functions may name tables that do not exist yet. */
async function createFunctions(queries: Kysely<unknown>, text: string): Promise<void> {
  await sql`set local check_function_bodies = off`.execute(queries);
  await sql.raw(text).execute(queries);
}

function toMigration(run: (queries: Kysely<unknown>) => Promise<void>, online: readonly string[]): LoadedMigration {
  return {
    online,
    async up(queries) {
      // A backup keeps this lock from us, so that we wait before any table is locked.
      await sql`lock table kysely_migration in row exclusive mode`.execute(queries);
      await run(queries);
    },
  };
}

async function loadSchema(folder: string): Promise<Schema> {
  const [tables, functions] = await Promise.all([readSql(folder), readSql(path.join(folder, "functions"))]);
  const migrations: Record<string, LoadedMigration> = {};
  migrations[BASELINE] = toMigration(async (queries) => {
    await createFunctions(queries, functions);
    await sql.raw(tables).execute(queries);
  }, []);
  for (const file of (await readdir(path.join(folder, "migrations"))).sort()) {
    if (!FILE_NAME.test(file)) throw new Error(`${file} in ${folder} is not named like 200-ledger.ts`);
    const loaded: MigrationFile = await import(pathToFileURL(path.join(folder, "migrations", file)).href);
    const { up, online = [] } = loaded;
    if (typeof up !== "string") throw new Error(`the migration ${file} exports no SQL text named up`);
    migrations[file.slice(0, -".ts".length)] = toMigration(async (queries) => {
      await sql.raw(up).execute(queries);
    }, online);
  }
  return { migrations, functions };
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
  return Object.keys((await loadSchema(SCHEMA_FOLDER)).migrations);
}

/** The oldest transactions with locks on tables, which a migration may wait for. */
async function listBlockers(queries: Queries): Promise<string> {
  const { rows } = await sql<{ found: string }>`
    select concat('process ', pid, ' (', application_name, ', user ', usename, ', since ' || xact_start::text, ')') as found
    from pg_stat_activity where datname = current_database() and exists (
      select from pg_locks where pg_locks.pid = pg_stat_activity.pid and granted and relation >= 16384)
    order by xact_start nulls first limit 3`.execute(queries);
  return rows.map(({ found }) => found).join(", ") || "another transaction";
}

/**
 * Repeats `work` until no lock keeps it waiting, with growing pauses in which queries of players
 * pass.
 */
async function retryLocked<Value>(
  queries: Queries,
  { signal, report }: MigrateOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      // A failed migration is the cause of an error that names it.
      const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (!(reason instanceof pg.DatabaseError) || reason.code !== LOCK_NOT_AVAILABLE) throw error;
      report?.(`a migration waits for the end of ${await listBlockers(queries)}`);
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** Creates the functions again if their text is another one. */
async function refreshFunctions(tx: Tx, functions: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FUNCTIONS_LOCK})`.execute(tx);
  const hash = createHash("sha256").update(functions).digest("hex");
  await sql`create table if not exists function_texts (is_only boolean primary key default true check (is_only),
    hash text not null)`.execute(tx);
  const { rows } = await sql<{ hash: string }>`select hash from function_texts`.execute(tx);
  if (rows[0]?.hash === hash) return;
  await createFunctions(tx, functions);
  await sql`insert into function_texts (hash) values (${hash})
    on conflict (is_only) do update set hash = excluded.hash`.execute(tx);
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

/**
 * Keeps the schema as it is until the end of the transaction, also for its snapshot if it is the
 * first statement: a table that is rewritten after the snapshot would look empty.
 */
export async function lockSchema(queries: Queries): Promise<void> {
  await sql`lock table kysely_migration in share mode`.execute(queries);
}

/** The migrations whose online statements have not all run here, also of an interrupted start. */
async function listUnfinished(queries: Queries, migrations: LoadedMigrations) {
  const all = Object.entries(migrations).filter(([, { online }]) => online.length > 0);
  if (all.length === 0) return [];
  await sql`create table if not exists migrations_online (name text primary key)`.execute(queries);
  const { rows } = await sql<{ name: string }>`select name from migrations_online`.execute(queries);
  const done = new Set(rows.map(({ name }) => name));
  return all.filter(([name]) => !done.has(name)).map(([name, { online }]) => ({ name, online }));
}

async function saveFinished(queries: Queries, name: string): Promise<void> {
  await sql`insert into migrations_online (name) values (${name})`.execute(queries);
}

/** Concurrent builds keep no one out and would begin again if repeated: they wait without limit. */
async function runOnline(queries: Queries, statement: string, options: MigrateOptions): Promise<void> {
  if (!CONCURRENTLY.test(statement)) {
    return await retryLocked(queries, options, async () => void (await sql.raw(statement).execute(queries)));
  }
  options.report?.(`a migration builds an index and waits for open transactions: ${statement}`);
  await queries.connection().execute(async (one) => {
    await sql`set lock_timeout = 0`.execute(one);
    await sql.raw(statement).execute(one);
    await sql`reset lock_timeout`.execute(one);
  });
}

async function migrateOnline(queries: Queries, migrations: LoadedMigrations, options: MigrateOptions): Promise<void> {
  for (const { name, online } of await listUnfinished(queries, migrations)) {
    // An interrupted build leaves an invalid index.
    const broken = await sql<{ index: string }>`
      select indexrelid::regclass::text as index from pg_index where not indisvalid`.execute(queries);
    for (const { index } of broken.rows) {
      await runOnline(queries, `drop index concurrently if exists ${index}`, options);
    }
    for (const statement of online) await runOnline(queries, statement, options);
    await saveFinished(queries, name);
  }
}

/** Migrates inside an open transaction: the named migrations, or all, with their online parts. */
export async function migrateWithin(tx: Tx, names?: readonly string[], folder = SCHEMA_FOLDER): Promise<void> {
  const { migrations: known, functions } = await loadSchema(folder);
  const wanted = Object.fromEntries(Object.entries(known).filter(([name]) => names?.includes(name) ?? true));
  await migrateUp(tx, wanted);
  await refreshFunctions(tx, functions);
  for (const { name, online } of await listUnfinished(tx, wanted)) {
    for (const statement of online) await sql.raw(statement.replace(CONCURRENTLY, "")).execute(tx);
    await saveFinished(tx, name);
  }
}

/**
 * Migrates the schema, all or nothing, under Kysely's advisory lock. Waits as long as others hold
 * its tables. Returns the names applied; throws `NewerSchema` if the database is ahead of the code.
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const limits = { lockTimeoutMs: LOCK_TIMEOUT_MS, statementTimeoutMs: 0 };
  // Kysely holds its lock on one connection and inspects the schema over another.
  const pool = new pg.Pool({ ...toClientConfig({ connectionString, ...limits }), max: 2 });
  // A connection lost between two attempts is replaced by the next one.
  pool.on("error", () => undefined);
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const schema = await loadSchema(options.folder ?? SCHEMA_FOLDER);
    await assertNotNewer(queries, schema.migrations);
    const applied = await retryLocked(queries, options, () => migrateUp(queries, schema.migrations));
    await retryLocked(queries, options, () =>
      queries.transaction().execute((tx) => refreshFunctions(tx, schema.functions)),
    );
    // In a new database no other transaction is open.
    const quiet = applied.includes(BASELINE) && { report: () => undefined };
    await migrateOnline(queries, schema.migrations, { ...options, ...quiet });
    return applied;
  } finally {
    await pool.end();
  }
}
