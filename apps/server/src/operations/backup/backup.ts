import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { sql } from "kysely";
import type pg from "pg";
import { listInvariants } from "../../invariants.ts";
import { saveBackup } from "../../platform/database/backup-record.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { listMigrations, lockSchema } from "../../platform/database/migrations.ts";
import { readSnapshot } from "../../platform/database/transaction.ts";
import { isDiskFull, toFailureText } from "../../platform/failure.ts";
import { openDiskFiles } from "../../platform/files/disk-files.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import type { Log } from "../../platform/log.ts";
import { toFileKey } from "../../releases/release.ts";
import { loadStored } from "../../releases/store.ts";
import { formatCount } from "../format-count.ts";
import { loadSecret, openArenaDatabase, Refused, type StorageConfig } from "../storage.ts";
import { copyOut } from "./copy-stream.ts";
import { type Manifest, type Part, SECRET_FILE, saveManifest, toManifest, UNFINISHED_MANIFEST } from "./manifest.ts";
import { listSequences, listTables, toTarget } from "./tables.ts";

type Report = (line: string) => void;

interface BackupOptions {
  readonly log: Log;
  readonly release: string;
  readonly report: Report;
}

const PARTS = ["tables", "files", SECRET_FILE, UNFINISHED_MANIFEST];

/** Streams into a new file of the backup, synced and private to its owner. */
async function savePart(folder: string, name: string, content: Readable, ...steps: Transform[]): Promise<Part> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  const target = createWriteStream(path.join(folder, name), { flags: "wx", mode: 0o600, flush: true });
  await pipeline([content, ...steps, measure, target]);
  return { path: name, sizeBytes, sha256: hash.digest("hex") };
}

/** Refuses a folder with content; tells a new folder from an empty one. */
async function claimFolder(folder: string, dataDir: string): Promise<"created" | "empty"> {
  const inside = path.relative(path.resolve(dataDir), path.resolve(folder));
  if (!inside.startsWith("..") && !path.isAbsolute(inside)) {
    throw new Refused(`${folder} is inside DATA_DIR and would be lost with it: choose a folder elsewhere`);
  }
  const isCreated = await makeFolder(folder, 0o700);
  const entries = (await readdir(folder)).filter((entry) => entry !== "lost+found");
  if (entries.length > 0) throw new Refused(`${folder} is not empty: choose a new folder`);
  await mkdir(path.join(folder, "tables"), { mode: 0o700 });
  return isCreated ? "created" : "empty";
}

async function loadPositions(queries: Queries): Promise<Manifest["positions"]> {
  const { rows } = await sql<Record<string, string | null>>`
    select (select count(*) from game_log)::text as records, (select max(at) from game_log)::text as last_at,
      (select max(id) from ledger_entries)::text as entry_id, (select max(id) from audit_events)::text as event_id`.execute(
    queries,
  );
  const { records = null, last_at = null, entry_id = null, event_id = null } = rows[0] ?? {};
  return {
    gameLogRecords: Number(records),
    lastGameLogAt: last_at === null ? null : new Date(Number(last_at)).toISOString(),
    lastJournalEntryId: entry_id,
    lastAuditEventId: event_id,
  };
}

async function loadFacts(queries: Queries) {
  const migrations = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(queries);
  const { rows } = await sql<{ version: string; bytes: string }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`.execute(
    queries,
  );
  return {
    migrations: migrations.rows.map(({ name }) => name),
    postgres: rows[0]!.version,
    databaseBytes: Number(rows[0]!.bytes),
  };
}

/** Copies the stored builds. One that staff removed since the snapshot is reported as missing. */
async function saveFiles(queries: Queries, config: StorageConfig, folder: string) {
  const source = openFiles(config.files);
  const saved: Manifest["files"] = [];
  const missingFiles: string[] = [];
  for (const { id } of await loadStored(queries)) {
    const key = toFileKey(id);
    const content = await source.read(key);
    if (content === null) {
      missingFiles.push(key);
      continue;
    }
    const name = `files/kept/${key}`;
    await makeFolder(path.join(folder, path.dirname(name)), 0o700);
    saved.push({ key, ...(await savePart(folder, name, Readable.from(content))) });
  }
  return { files: saved, missingFiles };
}

/** Audits the rows that were copied, in their snapshot, and the files of the copy. */
async function auditCopy(queries: Queries, folder: string, migrations: readonly string[]): Promise<Manifest["audit"]> {
  if ((await listMigrations()).length > migrations.length) return null;
  // As `auditDatabase` does, which would read a later state.
  await sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`.execute(queries);
  const invariants = listInvariants(openDiskFiles(path.join(folder, "files")));
  return { invariants: invariants.length, broken: await audit(queries, invariants) };
}

/** A standby grants no lock that keeps migrations away, and may lag behind. */
async function refuseStandby({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ is_standby: boolean }>("select pg_is_in_recovery() as is_standby");
  if (rows[0]?.is_standby) {
    throw new Refused("DATABASE_URL names a standby, from which no backup can be made: name the primary");
  }
}

async function copyArena(config: StorageConfig, folder: string, options: BackupOptions): Promise<Manifest> {
  const { log, release, report } = options;
  const { database, close } = await openArenaDatabase(config, log);
  try {
    await refuseStandby(database);
    let client: pg.PoolClient | null = null;
    database.pool.on("acquire", (acquired) => {
      client = acquired;
    });
    const secret = await savePart(
      folder,
      SECRET_FILE,
      Readable.from([Buffer.from(await loadSecret(database, config))]),
    );
    const takenAt = new Date().toISOString();
    const manifest = await readSnapshot(database, async (queries) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(queries);
      await sql`set local lock_timeout = 0`.execute(queries);
      await sql`set local application_name = 'holo-arena backup'`.execute(queries);
      await lockSchema(queries);
      const tables: Manifest["tables"] = [];
      for (const table of await listTables(queries)) {
        const { stream, rows } = copyOut(client!, `copy ${toTarget(table)} to stdout`);
        const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
        const part = await savePart(folder, `tables/${table.name}.copy.zst`, stream, compress);
        tables.push({ name: table.name, columns: [...table.columns], rows: await rows, ...part });
      }
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      report(`copied ${formatCount(rows, "row")} of ${formatCount(tables.length, "table")}`);
      const stored = await saveFiles(queries, config, folder);
      report(`copied ${formatCount(stored.files.length, "uploaded file")} and the secret`);
      const facts = await loadFacts(queries);
      return toManifest({
        release,
        takenAt,
        ...facts,
        tables,
        sequences: [...(await listSequences(queries))],
        positions: await loadPositions(queries),
        secret,
        ...stored,
        audit: await auditCopy(queries, folder, facts.migrations),
      });
    });
    await saveManifest(folder, manifest);
    await recordBackup(database, manifest, report);
    return manifest;
  } finally {
    await close();
  }
}

/** A fault or a missing file must be noticed: then the last sound backup grows old. */
async function recordBackup(database: Database, { audit, missingFiles, takenAt }: Manifest, report: Report) {
  if ((audit?.broken ?? null) !== null || missingFiles.length > 0) return;
  try {
    await saveBackup(database.kysely, new Date(takenAt));
  } catch (error) {
    // The backup is whole, whatever the database says now.
    report(`the backup could not be recorded in the database: ${toFailureText(error)}`);
  }
}

/**
 * Copies a running arena into a new or empty folder: all tables from one snapshot, the stored
 * files and the secret. The manifest is written last. A failed backup is removed.
 */
export async function takeBackup(config: StorageConfig, folder: string, options: BackupOptions): Promise<Manifest> {
  const before = await claimFolder(folder, config.dataDir);
  try {
    return await copyArena(config, folder, options);
  } catch (error) {
    const made = before === "created" ? ["."] : PARTS;
    for (const name of made) await rm(path.resolve(folder, name), { recursive: true, force: true });
    if (isDiskFull(error)) throw new Refused(`the disk of ${folder} is full`, { cause: error });
    throw error;
  }
}
