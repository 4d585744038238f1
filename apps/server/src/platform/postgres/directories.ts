import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import type { Log } from "../log.ts";
import { SHARED_ROOT } from "./binaries.ts";
import { giveTo, isReachable, type ServiceUser } from "./service-user.ts";

export interface PostgresDirectories {
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly logFile: string;
  /**
   * Records in DATA_DIR that the cluster exists, so that a missing one is never taken for a first
   * start.
   */
  saveInitialised(): void;
}

interface LocationRecord {
  /** Relative if inside DATA_DIR, so that the folder can be moved. */
  readonly home: string;
  readonly initialised: boolean;
}

const RECORD_FILE = "postgres.json";
export const SOCKET_FILE = ".s.PGSQL.5432";
/** The kernel accepts 107 bytes; PostgreSQL's lock file beside the socket has a longer name. */
const SOCKET_PATH_BYTES_MAX = 100;

function loadRecord(file: string): LocationRecord | null {
  if (!existsSync(file)) return null;
  const record: LocationRecord = JSON.parse(readFileSync(file, "utf8"));
  return record;
}

function saveRecord(file: string, record: LocationRecord): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(record)}\n`);
  renameSync(unfinished, file);
}

async function makePrivateFolder(user: ServiceUser | null, folder: string): Promise<boolean> {
  await makeFolder(folder, 0o700);
  return giveTo(user, folder) && isReachable(user, folder);
}

async function chooseHome(dataDir: string, user: ServiceUser | null, log: Log): Promise<string> {
  if (await makePrivateFolder(user, path.join(dataDir, "postgres"))) return "postgres";
  // A random name, so that an emptied DATA_DIR starts afresh.
  const elsewhere = path.join(SHARED_ROOT, randomBytes(8).toString("hex"));
  await makeFolder(SHARED_ROOT, 0o755);
  if (!(await makePrivateFolder(user, elsewhere))) {
    throw new Error(
      `the database's user can reach neither ${dataDir} nor ${elsewhere}: set DATA_DIR to a place it can reach`,
    );
  }
  log.warn({ place: elsewhere }, "the database's user cannot reach DATA_DIR; storing the database elsewhere");
  return elsewhere;
}

async function chooseSocketDir(home: string, user: ServiceUser | null, log: Log): Promise<string> {
  const usual = path.join(home, "socket");
  if (Buffer.byteLength(path.join(usual, SOCKET_FILE)) <= SOCKET_PATH_BYTES_MAX) {
    await makePrivateFolder(user, usual);
    return usual;
  }
  const name = `holo-arena-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`;
  const short = path.join(Buffer.byteLength(tmpdir()) < 40 ? tmpdir() : "/tmp", name);
  const isOurs = await makePrivateFolder(user, short);
  const { uid, mode } = lstatSync(short);
  // Others may write to the parent: a folder created by someone else would give them the database.
  if (!isOurs || uid !== (user?.uid ?? process.getuid?.()) || (mode & 0o077) !== 0 || !lstatSync(short).isDirectory()) {
    throw new Error(
      `${short} is not a private folder of the database's user: remove it, or set DATA_DIR to a shorter path`,
    );
  }
  log.warn({ place: short }, "DATA_DIR is too long a path for a socket; the database's socket is elsewhere");
  return short;
}

/**
 * Finds or chooses the place of the database: `dataDir`, or /var/lib/holo-arena if its user cannot
 * reach that. Throws if an existing database has disappeared.
 */
export async function findPostgresDirectories(
  dataDir: string,
  user: ServiceUser | null,
  log: Log,
): Promise<PostgresDirectories> {
  await makeFolder(dataDir);
  const recordFile = path.join(dataDir, RECORD_FILE);
  const record = loadRecord(recordFile) ?? { home: await chooseHome(dataDir, user, log), initialised: false };
  const home = path.resolve(dataDir, record.home);
  const clusterDir = path.join(home, "data");
  if (record.initialised && !existsSync(path.join(clusterDir, "PG_VERSION"))) {
    throw new Error(
      `the database of ${dataDir} was kept in ${clusterDir} and is gone: put it back, or delete ${recordFile} to begin with an empty one`,
    );
  }
  if (!record.initialised) {
    await makePrivateFolder(user, home);
    saveRecord(recordFile, record);
  }
  return {
    clusterDir,
    socketDir: await chooseSocketDir(home, user, log),
    logFile: path.join(home, "postgres.log"),
    saveInitialised: () => saveRecord(recordFile, { ...record, initialised: true }),
  };
}
