import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { createZstdDecompress } from "node:zlib";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type pg from "pg";
import { listInvariants } from "../../invariants.ts";
import { savePayoutHold } from "../../payments/payments.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { auditDatabase, type BrokenFinding } from "../../platform/database/invariant.ts";
import { listMigrations, migrateWithin } from "../../platform/database/migrations.ts";
import { transact } from "../../platform/database/transaction.ts";
import { isDiskFull } from "../../platform/failure.ts";
import type { Files } from "../../platform/files/files.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import type { Log } from "../../platform/log.ts";
import { CLAIM_LOCK } from "../../platform/server-lease.ts";
import { loadClockOffsetMs } from "../../platform/time/time.ts";
import { RELEASES_FOLDER } from "../../releases/release.ts";
import { formatCount } from "../format-count.ts";
import { openStorage, Refused, type StorageConfig } from "../storage.ts";
import { copyIn } from "./copy-stream.ts";
import { listParts, loadManifest, type Manifest, SECRET_FILE, verifyParts } from "./manifest.ts";
import { listTables, replaceRows, toTarget } from "./tables.ts";
import { markFinished, markUnfinished } from "./unfinished-restore.ts";

interface RestoreOptions {
  readonly log: Log;
  readonly report: (line: string) => void;
}

interface Restored {
  readonly manifest: Manifest;
  readonly invariants: number;
  readonly broken: BrokenFinding | null;
}

const POSTGRES_MIN = 150_000;
/** The write-ahead log adds at most this much while the database is loaded. */
const WAL_BYTES_MAX = 2 ** 30;

async function checkBackup(folder: string, { authSecret }: StorageConfig): Promise<Manifest> {
  const manifest = await loadManifest(folder);
  const known = new Set(await listMigrations());
  if (manifest.migrations.some((name) => !known.has(name))) {
    throw new Refused(
      `the backup was made by a newer release (${manifest.release}) with migrations this one does not know: use that release`,
    );
  }
  await verifyParts(folder, manifest);
  if (authSecret !== null && authSecret !== (await readFile(path.join(folder, SECRET_FILE), "utf8"))) {
    throw new Refused("AUTH_SECRET is not the secret of the backup: unset it, or set the one that the server had");
  }
  return manifest;
}

async function assertEmptyFolder(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries.some((entry) => entry !== "lost+found")) {
    throw new Refused(`DATA_DIR (${dataDir}) is not empty: move it away, or set another one`);
  }
}

/** The free space of the disk that will hold a folder, which may not exist yet. */
async function loadFreeBytes(folder: string): Promise<number> {
  let place = path.resolve(folder);
  while (!existsSync(place)) place = path.dirname(place);
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
}

async function assertSpace(manifest: Manifest, { dataDir, databaseUrl, files }: StorageConfig): Promise<void> {
  const databaseBytes =
    databaseUrl === null ? 1.2 * manifest.databaseBytes + Math.min(manifest.databaseBytes, WAL_BYTES_MAX) : 0;
  const fileBytes = files.type === "disk" ? manifest.files.reduce((sum, file) => sum + file.sizeBytes, 0) : 0;
  const [needed, free] = [databaseBytes + fileBytes, await loadFreeBytes(dataDir)];
  const toMegabytes = (bytes: number): number => Math.ceil(bytes / 1e6);
  if (free < needed) {
    throw new Refused(
      `the disk of ${dataDir} is too full: about ${toMegabytes(needed)} MB are needed, ${toMegabytes(free)} are free`,
    );
  }
}

async function assertEmptyDatabase(queries: Queries): Promise<void> {
  const { rows } = await sql<{ version: number; found: string | null }>`
    select current_setting('server_version_num')::int as version,
      (select relname::text from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where nspname !~ '^(pg_|information_schema$)' and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
        order by 1 limit 1) as found`.execute(queries);
  const { version, found } = rows[0]!;
  if (version < POSTGRES_MIN) throw new Refused("the database is older than PostgreSQL 15: use a newer one");
  if (found !== null)
    throw new Refused(`the database of DATABASE_URL is not empty (it has ${found}): use an empty one`);
}

async function loadTables(tx: Tx, client: pg.ClientBase, folder: string, manifest: Manifest): Promise<void> {
  const backedUp = new Map(manifest.tables.map((table) => [table.name, table]));
  const tables = await listTables(tx);
  const isSame = tables.length === backedUp.size && tables.every(({ name }) => backedUp.has(name));
  if (!isSame) throw new Refused("the backup is foreign: its tables are not those of its migrations");
  await replaceRows(tx, tables, async () => {
    for (const { name } of tables) {
      const table = backedUp.get(name)!;
      const chunks = createReadStream(path.join(folder, table.path)).pipe(createZstdDecompress());
      const rows = await copyIn(client, `copy ${toTarget(table)} from stdin`, chunks);
      if (rows !== table.rows)
        throw new Refused(`the backup is broken: ${table.path} has ${rows} rows, not ${table.rows}`);
    }
  });
  for (const { name, lastValue } of manifest.sequences) {
    await sql`select setval(${`"${name}"`}::text::regclass, ${lastValue}::bigint)`.execute(tx);
  }
}

/** One transaction: the schema as it was, the rows, the migrations since, and a hold of payouts. */
async function restoreDatabase(database: Database, folder: string, manifest: Manifest): Promise<void> {
  let client: pg.PoolClient | null = null;
  database.pool.on("acquire", (acquired) => {
    client = acquired;
  });
  const at = toInstant(Math.floor(Date.now() + (await loadClockOffsetMs(database))));
  await transact(database, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    // No server starts on the database meanwhile.
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(tx);
    await assertEmptyDatabase(tx);
    await migrateWithin(tx, manifest.migrations);
    await loadTables(tx, client!, folder, manifest);
    await migrateWithin(tx);
    const compareFrom = toInstant(Date.parse(manifest.takenAt));
    await savePayoutHold(tx, { cause: "restore", at, compareFrom });
  });
  // The auditor's queries take minutes if the planner knows nothing about the tables.
  await sql`analyze`.execute(database.kysely);
}

async function isSame(files: Files, { key, sha256 }: Manifest["files"][number]): Promise<boolean> {
  const hash = createHash("sha256");
  for await (const chunk of (await files.read(key)) ?? []) hash.update(chunk);
  return hash.digest("hex") === sha256;
}

/** Leaves files alone that the bucket still has. Returns the keys it wrote. */
async function restoreFiles(files: Files, folder: string, manifest: Manifest, written: string[]): Promise<void> {
  const kept = new Set((await files.list(RELEASES_FOLDER)).map(({ key }) => key));
  for (const file of manifest.files) {
    if (kept.has(file.key)) {
      if (await isSame(files, file)) continue;
      throw new Refused(`the file storage has another file under ${file.key}: use an empty FILES_URL`);
    }
    const draft = await files.openDraft();
    try {
      for await (const chunk of createReadStream(path.join(folder, file.path))) await draft.handle.write(chunk);
      await draft.save(file.key, file);
      written.push(file.key);
    } finally {
      await draft.discard();
    }
  }
}

async function emptyFolder(dataDir: string): Promise<void> {
  const record = await readFile(path.join(dataDir, "postgres.json"), "utf8").catch(() => null);
  const home: string | null = record === null ? null : JSON.parse(record).home;
  // As root the database may have been kept outside of DATA_DIR.
  if (home !== null && path.isAbsolute(home)) await rm(home, { recursive: true, force: true });
  for (const entry of await readdir(dataDir)) {
    if (entry !== "lost+found") await rm(path.join(dataDir, entry), { recursive: true, force: true });
  }
}

/**
 * Restores a backup into an empty DATA_DIR and an empty database, and audits the result. A refusal
 * or failure leaves nothing behind.
 */
export async function restoreBackup(config: StorageConfig, folder: string, options: RestoreOptions): Promise<Restored> {
  const { log, report } = options;
  const { dataDir } = config;
  const manifest = await checkBackup(folder, config);
  report(`the backup of ${manifest.takenAt} is whole: ${formatCount(listParts(manifest).length, "file")}`);
  await assertEmptyFolder(dataDir);
  await assertSpace(manifest, config);
  const hadFolder = existsSync(dataDir);
  await markUnfinished(dataDir);
  const files = openFiles(config.files);
  const written: string[] = [];
  let opened: Awaited<ReturnType<typeof openStorage>> | null = null;
  try {
    opened = await openStorage(config, log);
    await assertEmptyDatabase(opened.database.kysely);
    await restoreFiles(files, folder, manifest, written);
    if (config.authSecret === null) {
      const secret = await readFile(path.join(folder, SECRET_FILE));
      await writeFile(path.join(dataDir, SECRET_FILE), secret, { flag: "wx", mode: 0o600, flush: true });
    }
    await restoreDatabase(opened.database, folder, manifest);
  } catch (error) {
    await opened?.close();
    for (const key of written) await files.remove(key);
    await emptyFolder(dataDir);
    if (!hadFolder) await rm(dataDir, { recursive: true });
    if (isDiskFull(error)) throw new Refused(`the disk of ${dataDir} is full`, { cause: error });
    throw error;
  }
  try {
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    report(`restored ${formatCount(rows, "row")} and ${formatCount(manifest.files.length, "file")}`);
    report("no withdrawal is sent until the records were compared with the provider's");
    await markFinished(dataDir);
    const invariants = listInvariants(files);
    return { manifest, invariants: invariants.length, broken: await auditDatabase(opened.database, invariants) };
  } finally {
    await opened.close();
  }
}
