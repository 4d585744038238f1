import { readFile } from "node:fs/promises";
import path from "node:path";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import pg from "pg";
import { loadOwner } from "../../accounts/roles/roles-store.ts";
import type { Config } from "../../config.ts";
import { listInvariants } from "../../invariants.ts";
import { loadComparedAt, loadPayoutHold } from "../../payments/payments.ts";
import { isSecretOf } from "../../platform/auth-secret.ts";
import { BACKUP_SECONDS_MAX, loadBackupAge } from "../../platform/database/backup-record.ts";
import type { Database } from "../../platform/database/database.ts";
import { auditDatabase } from "../../platform/database/invariant.ts";
import { listMigrations } from "../../platform/database/migrations.ts";
import { isArchiveFailing, loadWalArchive, type WalArchive } from "../../platform/database/wal-archive.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import type { Log } from "../../platform/log.ts";
import { writeToDatabase } from "../../platform/readiness.ts";
import { loadClockOffsetMs } from "../../platform/time/time.ts";
import { toFileName } from "../../releases/release.ts";
import { isSignedRelease } from "../../releases/releases.ts";
import { findCurrent } from "../../releases/store.ts";
import { openArenaDatabase } from "../storage.ts";
import { type Finding, makeReporter, toReason } from "./finding.ts";

const VERSION_MIN = 150_000;
/** The server's pool, its own connections, and some for an operator. */
const CONNECTIONS_MIN = 30;
const CLOCK_MS_MAX = 1_000;
/** Archiving takes a moment as well, so that a minute is lost at most. */
const ARCHIVE_SECONDS_MAX = 45;
const COMPARISON_MS_MAX = 30 * HOUR_MS;

interface Settings {
  readonly version: string;
  readonly version_num: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly read_only: string;
  readonly encoding: string;
  readonly connections: number;
}

/** Over a connection without our own settings, so that the database's defaults are seen. */
async function loadSettings(connectionString: string): Promise<Settings> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Settings>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as version_num,
         current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
         current_setting('synchronous_commit') as synchronous_commit,
         current_setting('transaction_read_only') as read_only, current_setting('server_encoding') as encoding,
         current_setting('max_connections')::int as connections`,
    );
    return rows[0]!;
  } finally {
    await client.end();
  }
}

async function checkSettings(database: Database): Promise<readonly Finding[]> {
  const { ok, warning, fault } = makeReporter("database settings");
  const settings = await loadSettings(database.connectionString);
  const clockMs = await loadClockOffsetMs(database);
  const findings: Finding[] = [];
  const { version, version_num, fsync, full_page_writes, synchronous_commit, read_only, encoding, connections } =
    settings;
  if (version_num < VERSION_MIN) findings.push(fault(`it is PostgreSQL ${version}`, "use PostgreSQL 15 or newer"));
  const set = (name: string, value: string): string =>
    `alter system set ${name} = ${value}; select pg_reload_conf(); then look for alter database and alter role settings`;
  if (fsync !== "on")
    findings.push(fault("fsync is off: a power cut can lose or damage everything", set("fsync", "on")));
  if (full_page_writes !== "on") {
    findings.push(fault("full_page_writes is off: a power cut can damage pages", set("full_page_writes", "on")));
  }
  if (synchronous_commit === "off") {
    const found = "synchronous_commit is off: the server sets it for its own connections, a pooler may drop that";
    findings.push(warning(found, set("synchronous_commit", "on")));
  }
  if (read_only === "on") {
    findings.push(fault("the database is read-only", "use the primary, or set default_transaction_read_only = off"));
  }
  if (encoding !== "UTF8")
    findings.push(fault(`the encoding is ${encoding}`, "create the database with encoding 'UTF8'"));
  if (connections < CONNECTIONS_MIN) {
    findings.push(
      fault(`max_connections is ${connections}`, set("max_connections", "100, and a restart of PostgreSQL")),
    );
  }
  if (Math.abs(clockMs) > CLOCK_MS_MAX) {
    const found = `the database's clock differs by ${Math.round(Math.abs(clockMs) / 1_000)} s from this machine's`;
    findings.push(fault(found, "synchronize the clocks of both machines (timedatectl set-ntp true)"));
  }
  return findings.length > 0 ? findings : [ok(`PostgreSQL ${version}, safe settings, equal clocks`)];
}

/** A full disk refuses no query that reads. */
async function checkDisk({ pool }: Database): Promise<readonly Finding[]> {
  try {
    await writeToDatabase(pool);
    return [];
  } catch (error) {
    const remedy =
      "free space on the database's disk, 5 GB at least, and look for what fills it: log, archive, backups";
    return [makeReporter("database").fault(`it cannot write: ${toReason(error)}`, remedy)];
  }
}

async function checkMigrations({ kysely }: Database): Promise<Finding> {
  const { ok, warning, fault } = makeReporter("migrations");
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely);
  const [applied, known] = [new Set(rows.map(({ name }) => name)), new Set(await listMigrations())];
  const newer = [...applied].filter((name) => !known.has(name));
  const pending = [...known].filter((name) => !applied.has(name));
  if (newer.length > 0) {
    return fault(`a newer release migrated the database (${newer.join(", ")})`, "install the release that did");
  }
  if (pending.length > 0) {
    return warning(`${pending.length} are pending`, "take a backup, then start the server, which applies them");
  }
  return ok(`all ${known.size} are applied`);
}

async function checkOwner({ kysely }: Database, { ownerEmail }: Config): Promise<Finding> {
  const { ok, warning } = makeReporter("owner");
  const owner = await loadOwner(kysely);
  if (owner === null || owner.email !== ownerEmail) {
    return warning(`the database knows ${owner?.email ?? "no owner"}`, "start the server with the right OWNER_EMAIL");
  }
  if (owner.isVerified) return ok(`${ownerEmail} is verified`);
  return warning(
    `${ownerEmail} has no verified account, so the platform has no CEO`,
    "register with it and open the mailed link, or run holo admin verify-owner",
  );
}

async function checkSecret({ kysely }: Database, { authSecret, dataDir }: Config): Promise<Finding> {
  const { ok, fault } = makeReporter("secret");
  const secret = authSecret ?? (await readFile(path.join(dataDir, "auth-secret"), "utf8").catch(() => null));
  if (secret === null) {
    const remedy = "set AUTH_SECRET as the server has it, or restore DATA_DIR/auth-secret from a backup";
    return fault("the server's secret is missing: sessions and waiting mails would be lost", remedy);
  }
  const isKnown = await isSecretOf(kysely, secret);
  if (isKnown === null) return ok("the next start of a server keeps its fingerprint");
  if (isKnown) return ok("it is the one of this database");
  return fault(
    "AUTH_SECRET is not the secret of this database: no server starts with it",
    "set the one the server had before; docs/operations/admin.md#change-auth_secret says how to change it",
  );
}

async function checkPayouts({ kysely }: Database): Promise<Finding> {
  const { ok, warning } = makeReporter("payouts");
  const hold = await loadPayoutHold(kysely);
  if (hold === null) return ok("withdrawals are sent");
  return warning(
    `no withdrawal is sent since ${new Date(hold.fromAt).toISOString()} (${hold.cause})`,
    "press Compare now in the administration; release the hold there once every unknown transfer is settled",
  );
}

/** It is made daily, and tried every hour until one is complete. */
async function checkComparison({ kysely }: Database): Promise<Finding> {
  const { ok, warning } = makeReporter("comparison");
  const at = await loadComparedAt(kysely);
  if (at === null) return ok("none was due yet");
  const found = new Date(at).toISOString();
  if (Date.now() - at <= COMPARISON_MS_MAX) return ok(`the last one with the provider: ${found}`);
  const remedy = "start the server, press Compare now in the administration, and look into the server's log";
  return warning(`none with the provider was complete since ${found}`, remedy);
}

async function checkInvariants(database: Database, { files }: Config): Promise<Finding> {
  const { ok, fault } = makeReporter("auditor");
  const invariants = listInvariants(openFiles(files));
  const broken = await auditDatabase(database, invariants);
  if (broken === null) return ok(`all ${invariants.length} invariants hold`);
  const remedy = "switch on maintenance, take a backup, and find the cause before players go on";
  return fault(`${broken.name}: ${broken.found}`, remedy);
}

export function toArchiveFinding(archive: WalArchive): Finding {
  const { mode, timeoutSeconds, failedAt, archivedAt, countedFrom } = archive;
  const { ok, warning, fault } = makeReporter("archive");
  if (mode === "off") return ok("PostgreSQL archives no log: only backups protect the data");
  if (isArchiveFailing(archive)) {
    return fault(
      `PostgreSQL's log is not archived since ${(archivedAt ?? failedAt ?? countedFrom).toISOString()}: it fills the disk`,
      "run archive_command's program by hand (pgbackrest --stanza=holo check) and look into PostgreSQL's log",
    );
  }
  if (timeoutSeconds === 0 || timeoutSeconds > ARCHIVE_SECONDS_MAX) {
    const found = `archive_timeout is ${timeoutSeconds} s: a lost disk can cost more than a minute`;
    return warning(found, "alter system set archive_timeout = 30; select pg_reload_conf()");
  }
  return ok(`PostgreSQL's log is archived, after ${timeoutSeconds} s at the latest`);
}

async function checkArchive({ kysely, pool }: Database): Promise<Finding> {
  const archive = await loadWalArchive(pool);
  // While no server runs, nothing is written that would have to be archived.
  const { rows } = await sql<Pick<WalArchive, "countedFrom" | "at">>`
    select greatest(max(serving_at), ${archive.countedFrom}) as "countedFrom",
      coalesce(to_timestamp(max(coalesce(last_beat_at, seen_at)) / 1000.0), ${archive.countedFrom}) as at
    from servers left join server_beats using (server_id)`.execute(kysely);
  return toArchiveFinding({ ...archive, ...rows[0]! });
}

async function checkBackup({ pool }: Database, { mode }: Config): Promise<Finding> {
  const { ok, fault } = makeReporter("backup");
  const { tool, seconds } = await loadBackupAge(pool);
  if (tool === null && mode !== "production") return ok("none was made yet; production needs one every day");
  const hours = Math.floor(seconds / 3_600);
  const found =
    tool === null ? `none was made in ${hours} h since the first start` : `the last one of ${tool} is ${hours} h old`;
  if (seconds <= BACKUP_SECONDS_MAX) return ok(found);
  return fault(found, "set up the daily one of docs/operations/backup.md, or read its log: journalctl -t holo-backup");
}

/** An upload checks this too, by the certificates that were configured then. */
export async function checkAndroidApp(
  { kysely }: Database,
  { mode, files, androidCertificates }: Pick<Config, "mode" | "files" | "androidCertificates">,
): Promise<Finding> {
  const { ok, warning, fault } = makeReporter("Android app");
  const release = await findCurrent(kysely, "android");
  if (release === null) return ok("none is offered");
  const name = toFileName(release);
  if (androidCertificates.length === 0) {
    const found = `${name} is offered, and ANDROID_CERT_SHA256 is missing: an app with any key can replace it`;
    return mode === "production" ? warning(found, "set it as docs/native.md describes") : ok(found);
  }
  try {
    if (await isSignedRelease(openFiles(files), release, androidCertificates)) {
      return ok(`${name} is signed with the configured key`);
    }
  } catch (error) {
    return fault(`${name} cannot be read: ${toReason(error)}`, "check FILES_URL, or upload the same file again");
  }
  const remedy = "correct ANDROID_CERT_SHA256, or upload a version with that key and make it current";
  return fault(`${name} is offered, and no certificate of ANDROID_CERT_SHA256 signs it`, remedy);
}

/** `isQuick` leaves out the auditor, which reads everything. */
export async function checkDatabase(config: Config, log: Log, isQuick: boolean): Promise<readonly Finding[]> {
  const { ok, fault } = makeReporter("database");
  let opened: Awaited<ReturnType<typeof openArenaDatabase>>;
  try {
    opened = await openArenaDatabase(config, log);
  } catch (error) {
    const remedy =
      config.databaseUrl === null
        ? "start the server once, or set DATA_DIR to the folder of the arena"
        : "check host, user, password and name in DATABASE_URL, and that the database allows this machine";
    return [fault(`it cannot be used: ${toReason(error)}`, remedy)];
  }
  const { database, close } = opened;
  try {
    const findings: Finding[] = [ok("it answers"), ...(await checkDisk(database)), ...(await checkSettings(database))];
    const migrations = await checkMigrations(database);
    findings.push(migrations);
    if (migrations.status !== "ok") return findings;
    findings.push(await checkOwner(database, config), await checkSecret(database, config));
    findings.push(await checkPayouts(database), await checkComparison(database));
    findings.push(await checkArchive(database), await checkBackup(database, config));
    findings.push(await checkAndroidApp(database, config));
    if (!isQuick) findings.push(await checkInvariants(database, config));
    return findings;
  } catch (error) {
    return [fault(`it does not answer as expected: ${toReason(error)}`, "look into PostgreSQL's log")];
  } finally {
    await close();
  }
}
