import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { findBinaries } from "./binaries.ts";
import {
  assertSameMajor,
  type Cluster,
  childOptions,
  ensureDatabase,
  initialise,
  toConnectionString,
  toSettings,
  withConnection,
} from "./cluster.ts";
import { findPlace, type Place } from "./place.ts";
import { findPostmaster, isAlive } from "./postmaster.ts";
import { findServiceUser } from "./service-user.ts";

export interface EmbeddedPostgres {
  /** The database `holo`, over a Unix socket. */
  readonly connectionString: string;
  /** For another database of the same cluster. */
  toConnectionString(databaseName: string): string;
  /** True if a server left by a killed parent was reused. */
  readonly isAdopted: boolean;
  /** The current process id; it changes after a restart. */
  pid(): number;
  /** Stops the server, waiting at most ten seconds, unless another client is still connected. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** False trades safety against power loss for speed: for tests only. */
  readonly durable?: boolean;
}

const DATABASE = "holo";
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;
const POLL_MS = 5;
const WATCH_EVERY_MS = 500;
const LOG_BYTES_MAX = 10_000_000;

/**
 * Detached, so that Ctrl-C reaches our server first, which then stops this one in order. Resolves
 * on exit.
 */
function launch(cluster: Cluster): { readonly pid: number | undefined; readonly exited: Promise<void> } {
  const { place, settings, binaries } = cluster;
  if (existsSync(place.logFile) && statSync(place.logFile).size > LOG_BYTES_MAX) {
    renameSync(place.logFile, `${place.logFile}.1`);
  }
  const output = openSync(place.logFile, "a", 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(binaries.postgres, ["-D", place.clusterDir, ...flags], {
    ...childOptions(cluster),
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  child.unref();
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (err) => {
      cluster.log.error({ err }, "could not run PostgreSQL");
      resolve();
    });
  });
  return { pid: child.pid, exited };
}

function tailOfLog(place: Place): string {
  return existsSync(place.logFile)
    ? readFileSync(place.logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n")
    : "";
}

/**
 * Describes how a running server differs from the one we would start; empty if it can be reused.
 */
async function findDifferences(cluster: Cluster): Promise<readonly string[]> {
  const expected = {
    ...cluster.settings,
    data_directory: cluster.place.clusterDir,
    server_version: cluster.binaries.version,
  };
  const { rows } = await withConnection(cluster, "postgres", (client) =>
    client.query<{ name: string; setting: string | null }>(
      "select name, current_setting(name, true) as setting from unnest($1::text[]) as name",
      [Object.keys(expected)],
    ),
  );
  const actual = new Map(rows.map((row) => [row.name, row.setting]));
  return Object.entries(expected)
    .filter(([name, value]) => actual.get(name) !== value)
    .map(([name, value]) => `${name} is ${actual.get(name)}, not ${value}`);
}

/** Whether another client is connected. Our own closed connections take a moment to disappear. */
async function isInUse(cluster: Cluster): Promise<boolean> {
  const untilMs = performance.now() + 1_000;
  for (;;) {
    const others = await withConnection(cluster, "postgres", async (client) => {
      const { rows } = await client.query<{ others: number }>(
        "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      return rows[0]?.others ?? 0;
    });
    if (others === 0) return false;
    if (performance.now() > untilMs) return true;
    await sleep(50);
  }
}

/**
 * Fast shutdown: ends sessions and flushes to disk. After ten seconds immediate shutdown, with
 * recovery at the next start.
 */
async function shutDown(cluster: Cluster, pid: number): Promise<void> {
  process.kill(pid, "SIGINT");
  const untilMs = performance.now() + STOP_MS_MAX;
  while (isAlive(pid) && performance.now() < untilMs) await sleep(POLL_MS);
  if (!isAlive(pid)) return;
  cluster.log.warn({ pid }, "the embedded database did not stop in time");
  process.kill(pid, "SIGQUIT");
  while (isAlive(pid)) await sleep(POLL_MS);
}

/** True if the running server can be reused; false if it was incompatible and has been stopped. */
async function adopt(cluster: Cluster, pid: number): Promise<boolean> {
  const differences = await findDifferences(cluster);
  if (differences.length === 0) return true;
  if (await isInUse(cluster)) {
    throw new Error(`another database server is in use on ${cluster.place.clusterDir}: ${differences.join("; ")}`);
  }
  cluster.log.warn({ differences }, "a database server with other settings was left over: it is started again");
  await shutDown(cluster, pid);
  return false;
}

/** Resolves once a server responds: the running one or a new one. */
async function ensureRunning(cluster: Cluster): Promise<{ readonly pid: number; readonly isAdopted: boolean }> {
  const untilMs = performance.now() + START_MS_MAX;
  let launched: ReturnType<typeof launch> | undefined;
  let hasExited = false;
  while (performance.now() < untilMs) {
    const running = findPostmaster(cluster.place.clusterDir);
    if (running?.status === "ready") {
      if (running.pid === launched?.pid) return { pid: running.pid, isAdopted: false };
      if (await adopt(cluster, running.pid)) return { pid: running.pid, isAdopted: true };
    } else if (running === null && launched === undefined) {
      launched = launch(cluster);
      hasExited = false;
      void launched.exited.then(() => {
        hasExited = true;
      });
    } else if (running === null && hasExited) {
      // Sessions of a killed server hold its shared memory for up to a second.
      if (!tailOfLog(cluster.place).includes("shared memory block")) {
        throw new Error(`the embedded database did not start:\n${tailOfLog(cluster.place)}`);
      }
      launched = undefined;
      await sleep(100);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`the embedded database did not start within ${START_MS_MAX} ms:\n${tailOfLog(cluster.place)}`);
}

/** Restarts the server whenever it exits, until the returned function is called. */
function watch(cluster: Cluster, state: { pid: number }): () => void {
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy || isAlive(state.pid)) return;
    isBusy = true;
    cluster.log.error({ pid: state.pid }, "the embedded database is gone: it is started again");
    try {
      state.pid = (await ensureRunning(cluster)).pid;
      cluster.log.info({ pid: state.pid }, "the embedded database runs again");
    } catch (err) {
      cluster.log.error({ err }, "the embedded database could not be started again");
    }
    isBusy = false;
  }, WATCH_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function stop(cluster: Cluster, pid: number): Promise<void> {
  if (findPostmaster(cluster.place.clusterDir)?.pid !== pid) return;
  if (await isInUse(cluster)) {
    cluster.log.warn({ pid }, "the embedded database is still used by another process: it is left running");
    return;
  }
  await shutDown(cluster, pid);
}

/**
 * Starts the PostgreSQL installed by npm on `dataDir`, creating the cluster at the first start.
 * Reuses a server left by a killed parent if folder, version and settings match. Listens on a Unix
 * socket only. As root it runs as `nobody`. A crashed server is restarted. Throws with instructions
 * if the cluster is of another major version or has disappeared.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const user = findServiceUser();
  const binaries = await findBinaries(user);
  const place = findPlace(path.resolve(options.dataDir), user, options.log);
  const cluster: Cluster = { binaries, place, user, durable, settings: toSettings(place, durable), log: options.log };
  if (!existsSync(path.join(place.clusterDir, "PG_VERSION"))) await initialise(cluster);
  place.saveInitialised();
  assertSameMajor(cluster);
  const { pid, isAdopted } = await ensureRunning(cluster);
  await ensureDatabase(cluster, DATABASE);
  const state = { pid };
  const unwatch = watch(cluster, state);
  return {
    connectionString: toConnectionString(place, DATABASE),
    toConnectionString: (databaseName) => toConnectionString(place, databaseName),
    isAdopted,
    pid: () => state.pid,
    stop: () => {
      unwatch();
      return stop(cluster, state.pid);
    },
  };
}
