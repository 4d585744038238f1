import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Log } from "../log.ts";
import type { Binaries } from "./binaries.ts";
import type { PostgresDirectories } from "./directories.ts";
import type { ServiceUser } from "./service-user.ts";

export interface Cluster {
  readonly binaries: Binaries;
  readonly directories: PostgresDirectories;
  readonly user: ServiceUser | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly durable: boolean;
  readonly log: Log;
}

const ROLE = "holo";

export function toSettings(directories: PostgresDirectories, durable: boolean): Readonly<Record<string, string>> {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: directories.socketDir,
    unix_socket_permissions: "0700",
    jit: "off",
    client_connection_check_interval: "1s",
    max_connections: "100",
    // After a crash of a session the whole server exits and is started again.
    restart_after_crash: "off",
  };
  if (durable) return { ...settings, fsync: "on" };
  return {
    ...settings,
    fsync: "off",
    // Shared by all test files that run at once.
    max_connections: "400",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    autovacuum: "off",
  };
}

/** Passes neither PG* variables nor a locale, which would change the server's behaviour. */
export function childOptions(cluster: Cluster): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return {
    cwd: path.dirname(cluster.directories.clusterDir),
    env: { PATH: process.env.PATH, TZ: "UTC" },
    ...cluster.user,
  };
}

export function toConnectionString(directories: PostgresDirectories, databaseName: string): string {
  return `postgresql://${ROLE}@${encodeURIComponent(directories.socketDir)}/${databaseName}`;
}

/** Runs `use` with a dedicated connection. */
async function withConnection<Value>(
  cluster: Cluster,
  databaseName: string,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({
    connectionString: toConnectionString(cluster.directories, databaseName),
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", (err) => cluster.log.debug({ err }, "a connection to the embedded database was lost"));
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export async function countOtherClients(cluster: Cluster): Promise<number> {
  return await withConnection(cluster, "postgres", async (client) => {
    const { rows } = await client.query<{ readonly count: number }>(`
      select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`);
    return rows[0]!.count;
  });
}

/**
 * Admits the user of this process, and root, who can take that user's place. The socket's folder
 * alone would admit every program of the database's user, which is `nobody` for a server of root.
 */
export function saveAccessRules({ directories }: Cluster): void {
  const users = new Set(["root", userInfo().username]);
  const rules = {
    "pg_hba.conf": ["all", "replication"].map((database) => `local ${database} ${ROLE} peer map=${ROLE}`),
    "pg_ident.conf": [...users].map((user) => `${ROLE} "${user}" ${ROLE}`),
  };
  for (const [name, lines] of Object.entries(rules)) {
    const file = path.join(directories.clusterDir, name);
    // Not written through: the folder belongs to another user, who could have put a link there.
    rmSync(file, { force: true });
    writeFileSync(file, `${lines.join("\n")}\n`, { flag: "wx", mode: 0o644 });
  }
}

/**
 * Creates the cluster in a temporary folder and renames it, so that an interrupted attempt never
 * looks complete.
 */
export async function initialise(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  const { clusterDir } = cluster.directories;
  const unfinished = `${clusterDir}.${randomBytes(4).toString("hex")}`;
  const flags = ["-D", unfinished, "-U", ROLE, "-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"];
  // Of no effect: `saveAccessRules` replaces its rules.
  flags.push("--auth-local=peer", "--auth-host=reject", "--no-instructions", ...(cluster.durable ? [] : ["--no-sync"]));
  await promisify(execFile)(cluster.binaries.initdb, flags, { ...childOptions(cluster), signal });
  try {
    renameSync(unfinished, clusterDir);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(path.join(clusterDir, "PG_VERSION"))) throw error;
  }
}

/** Throws with instructions if the files belong to another major version. */
export function assertSameMajor(cluster: Cluster): void {
  const { clusterDir } = cluster.directories;
  const found = readFileSync(path.join(clusterDir, "PG_VERSION"), "utf8").trim();
  if (found === cluster.binaries.major) return;
  throw new Error(
    `${clusterDir} was made by PostgreSQL ${found}, this release brings ${cluster.binaries.major}: dump it with the release that made it and load it into a new DATA_DIR`,
  );
}

export async function ensureDatabase(cluster: Cluster, name: string): Promise<void> {
  await withConnection(cluster, "postgres", async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  });
}
