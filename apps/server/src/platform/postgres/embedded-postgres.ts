import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { findBinaries } from "./binaries.ts";
import {
  assertSameMajor,
  type Cluster,
  childOptions,
  countOtherClients,
  ensureDatabase,
  initialise,
  saveAccessRules,
  toConnectionString,
  toSettings,
} from "./cluster.ts";
import { findPostgresDirectories, type PostgresDirectories } from "./directories.ts";
import { findPostmaster, isAlive } from "./postmaster.ts";
import { findServiceUser } from "./service-user.ts";

export interface EmbeddedPostgres {
  /** The database `holo`, over a Unix socket. */
  readonly connectionString: string;
  toConnectionString(databaseName: string): string;
  pid(): number;
  /** Stops the server, unless another client is still connected. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** False trades safety against power loss for speed: for tests only. */
  readonly durable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const DATABASE = "holo";
const START_MS_MAX = 60_000;
const POLL_MS = 5;
const WATCH_EVERY_MS = 500;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const CLIENTS_LEAVE_MS = 1_000;
const LOG_BYTES_MAX = 10_000_000;

/**
 * Starts the PostgreSQL installed by npm on `dataDir`, or shares one that already runs there, which
 * a killed server may have left. As root it runs as `nobody`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const user = findServiceUser();
  const binaries = await findBinaries(user);
  const directories = await findPostgresDirectories(path.resolve(options.dataDir), user, options.log);
  const settings = toSettings(directories, durable);
  const cluster: Cluster = { binaries, directories, user, durable, settings, log: options.log };
  if (!existsSync(path.join(directories.clusterDir, "PG_VERSION"))) await initialise(cluster, options.signal);
  directories.saveInitialised();
  assertSameMajor(cluster);
  const state = { pid: await ensureRunning(cluster, options.signal) };
  await ensureDatabase(cluster, DATABASE);
  const unwatch = watch(cluster, state);
  return {
    connectionString: toConnectionString(directories, DATABASE),
    toConnectionString: (databaseName) => toConnectionString(directories, databaseName),
    pid: () => state.pid,
    async stop() {
      await unwatch();
      await stop(cluster, state.pid);
    },
  };
}

/** What PostgreSQL reports while processes of its predecessor are still ending. */
const PREDECESSOR_ENDS = /shared memory block|lock file ".*" already exists/;

/** Resolves with its id once a server accepts connections: the one that runs, or a new one. */
async function ensureRunning(cluster: Cluster, aborted?: AbortSignal): Promise<number> {
  const { directories } = cluster;
  const untilMs = performance.now() + START_MS_MAX;
  let child: ChildProcess | null = null;
  while (performance.now() < untilMs) {
    const running = findPostmaster(directories);
    const hasExited = child !== null && (child.exitCode ?? child.signalCode) !== null;
    if (aborted?.aborted) {
      if (child?.pid !== undefined && !hasExited) await shutDown(cluster, child.pid);
      aborted.throwIfAborted();
    }
    if (running?.isReady && (await isAnswering(cluster))) return running.pid;
    if (running === null && hasExited) {
      if (!PREDECESSOR_ENDS.test(tailOfLog(directories))) break;
      child = null;
      await sleep(100);
    }
    if (running === null) child ??= launch(cluster);
    await sleep(POLL_MS);
  }
  throw new Error(
    `the embedded database did not start: see ${directories.logFile}, which ends with\n${tailOfLog(directories)}`,
  );
}

/** False for one that was killed a moment ago. */
function isAnswering(cluster: Cluster): Promise<boolean> {
  return countOtherClients(cluster).then(
    () => true,
    () => false,
  );
}

/** Detached, so that Ctrl-C reaches our server first, which then stops this one. */
function launch(cluster: Cluster): ChildProcess {
  const { directories, settings, binaries } = cluster;
  const { logFile } = directories;
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  saveAccessRules(cluster);
  const output = openSync(logFile, "a", 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(binaries.postgres, ["-D", directories.clusterDir, ...flags], {
    ...childOptions(cluster),
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  child.unref();
  child.once("error", (err) => cluster.log.error({ err }, "could not run PostgreSQL"));
  return child;
}

function tailOfLog({ logFile }: PostgresDirectories): string {
  return existsSync(logFile) ? readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n") : "";
}

/** Starts the server again whenever it exits, until the returned function is called. */
function watch(cluster: Cluster, state: { pid: number }): () => Promise<void> {
  const { log } = cluster;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (!isAlive(state.pid)) {
        log.error({ pid: state.pid }, "the embedded database exited; restarting it");
        try {
          state.pid = await ensureRunning(cluster, signal);
          log.info({ pid: state.pid }, "the embedded database is running again");
        } catch (err) {
          if (!signal.aborted) log.error({ err }, "the embedded database could not be restarted");
        }
      }
      await sleep(WATCH_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

async function stop(cluster: Cluster, pid: number): Promise<void> {
  if (findPostmaster(cluster.directories)?.pid !== pid) return;
  // A server that does not answer is not in use.
  for (const untilMs = performance.now() + CLIENTS_LEAVE_MS; ; await sleep(50)) {
    if ((await countOtherClients(cluster).catch(() => 0)) === 0) return await shutDown(cluster, pid);
    if (performance.now() > untilMs) break;
  }
  cluster.log.warn({ pid }, "another process still uses the embedded database; leaving it running");
}

/** Fast shutdown first. An immediate one needs a recovery at the next start. */
async function shutDown({ log, directories }: Cluster, pid: number): Promise<void> {
  signal(pid, "SIGINT");
  if (await isGone(pid, FAST_SHUTDOWN_MS)) return;
  log.warn({ pid }, "the embedded database did not stop in time");
  signal(pid, "SIGQUIT");
  if (await isGone(pid, IMMEDIATE_SHUTDOWN_MS)) return;
  log.error({ pid, logFile: directories.logFile }, "the embedded database does not stop");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function isGone(pid: number, forMs: number): Promise<boolean> {
  for (const untilMs = performance.now() + forMs; isAlive(pid); await sleep(POLL_MS))
    if (performance.now() > untilMs) return false;
  return true;
}
