import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "../../config.ts";
import { playOpening, resignGame, startGame } from "../../game/testing/test-game.ts";
import { openTestPlay } from "../../game/testing/test-play.ts";
import { startServer } from "../../main.ts";
import { type Database, openDatabase } from "../../platform/database/database.ts";
import { migrate } from "../../platform/database/migrations.ts";
import { CLAIM_LOCK } from "../../platform/server-lease.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { createEmptyTestDatabase, createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { until } from "../../testing/server-process.ts";
import { openArenaDatabase, readStorageConfig } from "../storage.ts";
import { takeBackup } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

const SECRET = "the secret of the arena that is backed up";
const SCHEMA = fileURLToPath(new URL("../../../schema", import.meta.url));
const RELEASE_ID = "4b8ff3a5-7d3c-4d0e-8f52-0f6f7f0f2d11";
const BUILD = randomBytes(300_000);
const log = openTestLog();
const report = (): void => {};

let root: string;
let dataDir: string;
/** The connection string of a database with games, wallets and an upload. */
let source: string;
let backup: string;
let folders = 0;

function newFolder(): string {
  folders += 1;
  return path.join(root, `folder-${folders}`);
}

function open(connectionString: string): Database {
  return openDatabase({ connectionString, log });
}

/** Two games of which one goes on. */
async function createPlayedDatabase(): Promise<string> {
  const database = await createTestDatabase();
  const at = await openTestPlay(database);
  for (const isOver of [true, false]) {
    const game = await startGame(database, at);
    await playOpening(at, game);
    if (isOver) await resignGame(at, game);
  }
  await at.close();
  await database.close();
  return database.connectionString;
}

async function addRelease(connectionString: string): Promise<void> {
  const database = open(connectionString);
  const sha256 = createHash("sha256").update(BUILD).digest("hex");
  const by = "an-administrator";
  await database.pool.query(
    `with done as (
       insert into audit_events (at, player_id, action, subject, detail)
       values (7, '${by}', 'release_added', 'holo-arena-3.0.0.exe', '${BUILD.length} bytes, SHA-256 ${sha256}') returning id),
     current as (
       insert into audit_events (at, player_id, action, subject, detail)
       values (8, '${by}', 'release_made_current', 'holo-arena-3.0.0.exe', ''))
     insert into app_versions (id, platform, version, file_name, is_current, size_bytes, sha256, uploaded_by, uploaded_at, audit_event_id)
     select '${RELEASE_ID}', 'windows', '3.0.0', 'holo-arena-3.0.0.exe', true, ${BUILD.length}, '${sha256}', '${by}', 7, id from done`,
  );
  await database.close();
  await mkdir(path.join(dataDir, "files/kept/releases"), { recursive: true });
  await writeFile(path.join(dataDir, "files/kept/releases", RELEASE_ID), BUILD);
}

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "holo-backup-"));
  dataDir = path.join(root, "data");
  source = await createPlayedDatabase();
  await addRelease(source);
  await writeFile(path.join(dataDir, "auth-secret"), SECRET);
  backup = newFolder();
  await takeBackup(readStorageConfig({ DATABASE_URL: source, DATA_DIR: dataDir }), backup, {
    log,
    release: "0.1.0",
    report,
  });
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** Of every table but backups and holds, including generated and default values. */
async function loadContent(connectionString: string): Promise<Readonly<Record<string, string>>> {
  const database = open(connectionString);
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^(kysely|server_lease|payout_holds|backups)'`.execute(
    database.kysely,
  );
  const found = tables.rows.map(
    ({ name }) =>
      sql`select ${name} as name, count(*) || ' ' || md5(coalesce(string_agg(row::text, e'\n' order by row::text), '')) as content
      from ${sql.table(name)} row`,
  );
  const { rows } = await sql<{ name: string; content: string }>`${sql.join(found, sql` union all `)}`.execute(
    database.kysely,
  );
  await database.close();
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}

async function countTables(connectionString: string): Promise<number> {
  const database = open(connectionString);
  const { rows } = await database.pool.query(
    "select count(*)::int as tables from pg_tables where schemaname = 'public'",
  );
  await database.close();
  return rows[0].tables;
}

async function loadFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

describe("a backup of a running arena", () => {
  // [OPS-01 §-] `npm run -s backup` copies an arena, also of an earlier release, and `npm run -s restore` brings back
  // every row, the uploaded files and the secret.
  it("holds every row, uploaded file and the secret, and is restored by a later release [OPS-01]", async () => {
    const target = await createEmptyTestDatabase();
    const folder = newFolder();
    const config = readStorageConfig({ DATABASE_URL: target, DATA_DIR: folder });
    const { broken, manifest } = await restoreBackup(config, backup, { log, report });
    expect(broken).toBeNull();
    expect(manifest.positions.gameLogRecords).toBe(13);

    await migrate(source);
    expect(await loadContent(target)).toEqual(await loadContent(source));
    expect(await readFile(path.join(folder, "auth-secret"), "utf8")).toBe(SECRET);
    expect((await stat(path.join(folder, "auth-secret"))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(folder, "files/kept/releases", RELEASE_ID))).toEqual(BUILD);
    // New journal entries get new numbers, and the ledger is append-only again.
    const database = open(target);
    const next = await database.pool.query(
      "select nextval('ledger_entries_id_seq') > max(id) as ahead from ledger_entries",
    );
    expect(next.rows[0].ahead).toBe(true);
    await expect(database.pool.query("delete from ledger_postings")).rejects.toThrow(/append only/);
    await database.close();
  });

  it("A backup does not say which addresses failed to log in: limits of attempts are not in it [OPS-34 §-]", async () => {
    const database = await createTestDatabase();
    await database.pool.query("insert into rate_limits values ('a keyed hash', 1e15)");
    const from = { DATABASE_URL: database.connectionString, DATA_DIR: newFolder(), AUTH_SECRET: SECRET };
    const { tables } = await takeBackup(readStorageConfig(from), newFolder(), { log, release: "0.1.0", report });
    expect(tables.map(({ name }) => name)).not.toContain("rate_limits");
    await database.close();
  });

  it("is restored without the names of finished online migrations, which the restore writes itself", async () => {
    const database = await createTestDatabase();
    await database.pool.query("create table if not exists migrations_online (name text primary key)");
    await database.pool.query("insert into migrations_online values ('001-of-a-test')");
    const folder = newFolder();
    const from = { DATABASE_URL: database.connectionString, DATA_DIR: newFolder(), AUTH_SECRET: SECRET };
    await takeBackup(readStorageConfig(from), folder, { log, release: "0.1.0", report });
    const target = await createEmptyTestDatabase();
    const to = readStorageConfig({ DATABASE_URL: target, DATA_DIR: newFolder() });
    expect((await restoreBackup(to, folder, { log, report })).broken).toBeNull();
    await migrate(target);
    await database.close();
  });

  // [OPS-39 §-] A backup has every row of a table that a migration rewrites meanwhile, because the migration waits
  // for it.
  it("has the rows of a table that a migration rewrites meanwhile: the migration waits [OPS-39]", async () => {
    const database = await createTestDatabase();
    const { rowCount } = await database.pool.query("select from setting_changes");
    expect(rowCount).toBeGreaterThan(0);
    const schema = newFolder();
    await cp(SCHEMA, schema, { recursive: true });
    const rewrite = "alter table setting_changes add column mark uuid default gen_random_uuid()";
    await writeFile(path.join(schema, "migrations/999-rewrite.ts"), `export const up = ${JSON.stringify(rewrite)};`);
    // The backup stops at its first table.
    const holder = await database.pool.connect();
    await holder.query("begin; set local idle_in_transaction_session_timeout = 0; lock table account_devices");
    const from = { DATABASE_URL: database.connectionString, DATA_DIR: newFolder(), AUTH_SECRET: SECRET };
    const taking = takeBackup(readStorageConfig(from), newFolder(), { log, release: "0.1.0", report });
    await untilOneWaits(database);
    const waiting = Promise.withResolvers<string>();
    const migrating = migrate(database.connectionString, { folder: schema, report: waiting.resolve });
    const before = await Promise.race([waiting.promise, migrating]);
    await holder.query("commit");
    holder.release();
    expect((await taking).tables.find(({ name }) => name === "setting_changes")?.rows).toBe(rowCount);
    expect(before).toMatch(/waits for the end of .*\(holo-arena backup, /);
    expect(await migrating).toEqual(["999-rewrite"]);
    await database.close();
  });

  // [OPS-40 §-] A backup that succeeded is recorded. The metrics and the doctor say when the last one of any program
  // is too old, and in production that none was ever made.
  it("is recorded with its instant if it is sound, and is kept if that is impossible [OPS-40]", async () => {
    const database = await createTestDatabase();
    const from = { DATABASE_URL: database.connectionString, DATA_DIR: newFolder(), AUTH_SECRET: SECRET };
    const take = (folder = newFolder()) =>
      takeBackup(readStorageConfig(from), folder, { log, release: "0.1.0", report });
    const loadRecorded = async () => (await database.pool.query("select tool, taken_at from backups")).rows;
    await database.pool.query("alter table ledger_entries disable trigger ledger_append_only");
    expect((await take()).audit?.broken).not.toBeNull();
    expect(await loadRecorded()).toEqual([]);
    await database.pool.query("alter table ledger_entries enable trigger ledger_append_only");
    await database.pool.query("alter table backups add constraint none check (tool = 'none')");
    const kept = newFolder();
    await take(kept);
    expect(await readdir(kept)).toContain("manifest.json");
    await database.pool.query("alter table backups drop constraint none");
    const { takenAt } = await take();
    expect(await loadRecorded()).toEqual([{ tool: "holo-arena", taken_at: new Date(takenAt) }]);
    await database.close();
  });

  it("is readable by its owner only", async () => {
    const modes = await Promise.all((await loadFiles(backup)).map(async (file) => (await stat(file)).mode & 0o077));
    expect(Math.max(...modes, (await stat(backup)).mode & 0o077)).toBe(0);
  });

  it("says which invariant the arena breaks, and keeps the true copy", async () => {
    const database = await createTestDatabase();
    await database.pool.query("alter table ledger_entries disable trigger ledger_append_only");
    const folder = newFolder();
    const config = readStorageConfig({
      DATABASE_URL: database.connectionString,
      DATA_DIR: newFolder(),
      AUTH_SECRET: SECRET,
    });
    const { audit } = await takeBackup(config, folder, { log, release: "0.1.0", report });
    expect(audit?.broken?.found).toMatch(/ledger_append_only is missing or off/);
    await database.close();
  });
});

type Change = (folder: string) => Promise<unknown>;

async function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
  const file = path.join(folder, "manifest.json");
  const { manifest } = JSON.parse(await readFile(file, "utf8"));
  change(manifest);
  const sha256 = createHash("sha256").update(JSON.stringify(manifest)).digest("hex");
  await writeFile(file, JSON.stringify({ sha256, manifest }));
}

const GAMES = "tables/game_log.copy.zst";
const REFUSED: readonly (readonly [string, Change, RegExp])[] = [
  [
    "that was cut",
    async (folder) => writeFile(path.join(folder, GAMES), "short"),
    /broken: tables\/game_log.* has 5 bytes/,
  ],
  [
    "with a changed byte",
    async (folder) => {
      const content = await readFile(path.join(folder, GAMES));
      content[content.length >> 1]! ^= 1;
      await writeFile(path.join(folder, GAMES), content);
    },
    /broken: tables\/game_log.copy.zst was changed/,
  ],
  [
    "without an uploaded file",
    (folder) => rm(path.join(folder, "files"), { recursive: true }),
    /broken: files\/.* is missing/,
  ],
  ["that was interrupted", (folder) => rm(path.join(folder, "manifest.json")), /interrupted backup/],
  [
    "with an edited manifest",
    async (folder) => {
      const file = path.join(folder, "manifest.json");
      await writeFile(file, (await readFile(file, "utf8")).replace(/"rows": 2,/, '"rows": 3,'));
    },
    /manifest.json was changed/,
  ],
  ["of another product", (folder) => writeFile(path.join(folder, "manifest.json"), "{}"), /not a backup of an arena/],
  [
    "of a newer format",
    (folder) => changeManifest(folder, (manifest) => Object.assign(manifest, { format: 2, release: "9.0.0" })),
    /format 2.*release 9\.0\.0 or later/,
  ],
  [
    "of a newer release",
    (folder) => changeManifest(folder, ({ migrations }) => (migrations as string[]).push("999-later")),
    /made by a newer release/,
  ],
  [
    "with tables of another schema",
    (folder) => changeManifest(folder, ({ tables }) => (tables as { name: string }[]).pop()),
    /foreign: its tables/,
  ],
  [
    "with rows that are not those of its manifest",
    (folder) =>
      changeManifest(folder, ({ tables }) => {
        for (const table of tables as { rows: number }[]) table.rows += 1;
      }),
    /broken: tables\/.* rows, not/,
  ],
];

describe("a restore", () => {
  // [OPS-02 §-] A restore refuses a cut, changed, interrupted, foreign or newer backup in clear words and changes
  // nothing.
  it.each(REFUSED)("refuses a backup %s and changes nothing [OPS-02]", async (_what, change, words) => {
    const folder = newFolder();
    await cp(backup, folder, { recursive: true });
    await change(folder);
    const before = await loadFiles(folder);
    const target = await createEmptyTestDatabase();
    const config = readStorageConfig({ DATABASE_URL: target, DATA_DIR: newFolder() });
    await expect(restoreBackup(config, folder, { log, report })).rejects.toThrow(words);
    expect(await countTables(target)).toBe(0);
    await expect(stat(config.dataDir)).rejects.toThrow("ENOENT");
    expect(await loadFiles(folder)).toEqual(before);
  });

  // [OPS-03 §-] Backup and restore refuse a place in use, a wrong or unknown secret, a standby and too small a disk,
  // and change nothing.
  it("refuses a target in use, a wrong secret and too small a disk, and changes nothing [OPS-03]", async () => {
    const empty = await createEmptyTestDatabase();
    const restore = (environment: Readonly<Record<string, string>>, from = backup) =>
      restoreBackup(readStorageConfig({ DATA_DIR: newFolder(), ...environment }), from, { log, report });

    const used = newFolder();
    await mkdir(used);
    await writeFile(path.join(used, "auth-secret"), "another");
    await expect(restore({ DATABASE_URL: empty, DATA_DIR: used })).rejects.toThrow(/is not empty: move it away/);
    expect(await readFile(path.join(used, "auth-secret"), "utf8")).toBe("another");

    const before = await loadContent(source);
    await expect(restore({ DATABASE_URL: source })).rejects.toThrow(/DATABASE_URL is not empty \(it has \w+\)/);
    expect(await loadContent(source)).toEqual(before);

    await expect(restore({ DATABASE_URL: empty, AUTH_SECRET: "x".repeat(32) })).rejects.toThrow(
      /not the secret of the backup/,
    );

    const huge = newFolder();
    await cp(backup, huge, { recursive: true });
    await changeManifest(huge, (manifest) => Object.assign(manifest, { databaseBytes: 1e15 }));
    await expect(restore({}, huge)).rejects.toThrow(/too full: about 1\d{9} MB are needed/);
    expect(await countTables(empty)).toBe(0);
  });
});

describe("a backup", () => {
  it("refuses a folder in use, a place inside DATA_DIR or without folders, an unknown secret and a foreign database [OPS-03]", async () => {
    const take = (environment: Readonly<Record<string, string>>, folder = newFolder()) =>
      takeBackup(readStorageConfig({ DATABASE_URL: source, DATA_DIR: dataDir, ...environment }), folder, {
        log,
        release: "0.1.0",
        report,
      });
    const before = await loadFiles(root);
    await expect(take({}, backup)).rejects.toThrow(/is not empty: choose a new folder/);
    await expect(take({}, path.join(dataDir, "backup"))).rejects.toThrow(/inside DATA_DIR/);
    await expect(take({}, "/proc/new/backup")).rejects.toThrow(/\/proc/);
    await expect(take({ DATA_DIR: newFolder() })).rejects.toThrow(/set AUTH_SECRET as the server has it/);
    await expect(take({ DATABASE_URL: await createEmptyTestDatabase() })).rejects.toThrow(/not an arena database/);
    await expect(take({ DATABASE_URL: "", DATA_DIR: newFolder() })).rejects.toThrow(/there is no arena in/);
    expect(await loadFiles(root)).toEqual(before);
  });
});

const HOLO = fileURLToPath(new URL("../../holo.ts", import.meta.url));

/** The command in a process whose files cannot grow beyond this size, as on a full disk. */
function runFull(name: string, folder: string, environment: Readonly<Record<string, string>>) {
  const command = ["--fsize=200000", process.execPath, HOLO, name, folder];
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile("prlimit", command, { env: { PATH: process.env.PATH, ...environment } }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

describe("a disk that becomes full", () => {
  // [OPS-04 §-] A disk that becomes full ends a backup or a restore in clear words, and nothing is left behind. A
  // full disk ends a first start in one sentence.
  it("ends a backup in clear words, and nothing is left [OPS-04]", async () => {
    const folder = newFolder();
    const { code, stderr } = await runFull("backup", folder, { DATABASE_URL: source, DATA_DIR: dataDir });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `no backup was made: the disk of ${folder} is full\n`,
    });
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  });

  it("ends a restore in clear words, and nothing is left [OPS-04]", async () => {
    const [target, folder] = [await createEmptyTestDatabase(), newFolder()];
    const { code, stderr } = await runFull("restore", backup, { DATABASE_URL: target, DATA_DIR: folder });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `nothing was restored: the disk of ${folder} is full\n`,
    });
    await expect(stat(folder)).rejects.toThrow("ENOENT");
    expect(await countTables(target)).toBe(0);
  });
});

it("is completed if the reader of what it prints has gone [OPS-05]", async () => {
  const folder = newFolder();
  const pipe = ["-o", "pipefail", "-c", '"$0" "$@" | true', process.execPath, HOLO, "backup", folder];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = spawn("bash", pipe, {
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: source, DATA_DIR: dataDir },
    stdio: "ignore",
  });
  expect(await once(command, "exit")).toEqual([0, null]);
  expect((await stat(path.join(folder, "manifest.json"))).isFile()).toBe(true);
});

describe("a command that is killed", () => {
  async function killOnce(name: string, folder: string, environment: Readonly<Record<string, string>>, begun: string) {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, ...environment };
    const command = spawn(process.execPath, [HOLO, name, folder], { env, stdio: "ignore" });
    const gone = once(command, "exit");
    await until(async () => (await stat(begun).catch(() => null)) !== null);
    command.kill("SIGKILL");
    expect((await gone)[1]).toBe("SIGKILL");
  }

  // [OPS-05 §-] A backup that was killed is never taken for a whole one, and no server starts on a restore that was
  // killed. A backup whose output no one reads is completed.
  it("leaves a backup that is never taken for a whole one [OPS-05]", async () => {
    const database = open(source);
    const blocker = await database.pool.connect();
    // A busy machine starts the command later than an idle transaction may last.
    const hold = "set local idle_in_transaction_session_timeout = 0";
    await blocker.query(`begin; ${hold}; lock table games in access exclusive mode`);
    const folder = newFolder();
    await killOnce(
      "backup",
      folder,
      { DATABASE_URL: source, DATA_DIR: dataDir },
      path.join(folder, "tables/games.copy.zst"),
    );
    await blocker.query("rollback");
    blocker.release();
    await database.close();
    const config = readStorageConfig({ DATABASE_URL: await createEmptyTestDatabase(), DATA_DIR: newFolder() });
    await expect(restoreBackup(config, folder, { log, report })).rejects.toThrow(/interrupted backup/);
  });

  it("leaves an empty database and a DATA_DIR that no server starts on [OPS-05]", async () => {
    const [target, folder] = [await createEmptyTestDatabase(), newFolder()];
    const database = open(target);
    const blocker = await database.pool.connect();
    await blocker.query("select pg_advisory_lock($1)", [CLAIM_LOCK]);
    const environment = { DATABASE_URL: target, DATA_DIR: folder };
    await killOnce("restore", backup, environment, path.join(folder, "auth-secret"));
    blocker.release(true);
    await database.close();
    await until(async () => (await countTables(target)) === 0);
    const config = parseConfig({ NODE_ENV: "test", PORT: "0", ...environment });
    if (!config.ok) throw new Error(config.refusal.join());
    await expect(startServer(config.value, log)).rejects.toThrow(
      /a restore into .* was interrupted: delete the folder/,
    );
    await expect(openArenaDatabase({ databaseUrl: target, dataDir: folder }, log)).rejects.toThrow(/not an arena/);
  });
});
