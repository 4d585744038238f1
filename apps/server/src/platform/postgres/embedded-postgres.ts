import { spawn } from "node:child_process";
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { findBinaries } from "./binaries.ts";
import {
  assertSameMajor,
  type Cluster,
  childOptions,
  ensureDatabase,
  initialise,
  saveAccessRules,
  toConnectionString,
  toSettings,
  withConnection,
} from "./cluster.ts";
import { findPostgresDirectories, type PostgresDirectories } from "./directories.ts";
import { findChildren, findPostmaster, isAlive, isRecovering } from "./postmaster.ts";
import { findServiceUser } from "./service-user.ts";

export interface EmbeddedPostgres {
  /** The database `holo`, over a Unix socket. */
  readonly connectionString: string;
  toConnectionString(databaseName: string): string;
  /** True if a server left by a killed parent was reused. */
  readonly isAdopted: boolean;
  pid(): number;
  /** Stops the server, waiting at most ten seconds, unless another client is still connected. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** False trades safety against power loss for speed: for tests only. */
  readonly durable?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Partial<SupervisionTiming>;
}

interface SupervisionTiming {
  readonly probeEveryMs: number;
  readonly silentMs: number;
  /** While it recovers. Doubled each time, because a killed recovery starts over. */
  readonly recoveringMs: number;
  readonly fastShutdownMs: number;
  readonly immediateShutdownMs: number;
}

const TIMING: SupervisionTiming = {
  probeEveryMs: 5_000,
  silentMs: 15_000,
  recoveringMs: 60_000,
  fastShutdownMs: 10_000,
  immediateShutdownMs: 5_000,
};

const DATABASE = "holo";
interface SupervisedCluster extends Cluster {
  readonly timing: SupervisionTiming;
}

const START_MS_MAX = 60_000;
const POLL_MS = 5;
const WATCH_EVERY_MS = 500;
const PROBE_MS_MAX = 5_000;
const CANNOT_CONNECT_NOW = "57P03";
const LOG_BYTES_MAX = 10_000_000;

/**
 * Moves a large log into a second file. The database keeps its file open and appends, so the file
 * is copied and emptied; lines in between may be lost.
 */
function limitLog({ logFile }: PostgresDirectories): void {
  if (!existsSync(logFile) || statSync(logFile).size <= LOG_BYTES_MAX) return;
  copyFileSync(logFile, `${logFile}.1`);
  truncateSync(logFile);
}

/**
 * Detached, so that Ctrl-C reaches our server first, which then stops this one. Resolves on exit.
 */
function launch(cluster: Cluster): { readonly pid: number | undefined; readonly exited: Promise<void> } {
  const { directories, settings, binaries } = cluster;
  limitLog(directories);
  saveAccessRules(cluster);
  const output = openSync(directories.logFile, "a", 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(binaries.postgres, ["-D", directories.clusterDir, ...flags], {
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

function tailOfLog(directories: PostgresDirectories): string {
  return existsSync(directories.logFile)
    ? readFileSync(directories.logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n")
    : "";
}

/**
 * Describes how a running server differs from the one we would start; empty if it can be reused.
 */
async function findDifferences(cluster: Cluster): Promise<readonly string[]> {
  const expected = {
    ...cluster.settings,
    data_directory: cluster.directories.clusterDir,
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

async function waitUntilGone(pids: readonly number[], forMs: number): Promise<boolean> {
  const untilMs = performance.now() + forMs;
  while (pids.some(isAlive)) {
    if (performance.now() > untilMs) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Fast shutdown first: it ends sessions and flushes to disk. Then immediate shutdown, with recovery
 * at the next start. A stuck server is killed with all its processes, which hold its memory.
 */
async function shutDown(cluster: SupervisedCluster, pid: number): Promise<void> {
  signal(pid, "SIGINT");
  if (await waitUntilGone([pid], cluster.timing.fastShutdownMs)) return;
  cluster.log.warn({ pid }, "the embedded database did not stop in time");
  await shutDownAtOnce(cluster, pid);
}

async function shutDownAtOnce(cluster: SupervisedCluster, pid: number): Promise<void> {
  const { immediateShutdownMs } = cluster.timing;
  signal(pid, "SIGQUIT");
  if (await waitUntilGone([pid], immediateShutdownMs)) return;
  cluster.log.error({ pid }, "the embedded database is stuck; killing it");
  const all = [pid, ...findChildren(pid)];
  for (const one of all) signal(one, "SIGKILL");
  await waitUntilGone(all, immediateShutdownMs);
}

/** True if the running server can be reused; false if it was stopped or does not answer. */
async function adopt(cluster: SupervisedCluster, pid: number): Promise<boolean> {
  const differences = await findDifferences(cluster).catch((err) => {
    cluster.log.debug({ err, pid }, "a leftover database server does not respond yet");
    return null;
  });
  if (differences === null) return false;
  if (differences.length === 0) return true;
  if (await isInUse(cluster)) {
    throw new Error(
      `another database server is in use on ${cluster.directories.clusterDir}: ${differences.join("; ")}`,
    );
  }
  cluster.log.warn({ differences }, "a leftover database server has other settings; restarting it");
  await shutDown(cluster, pid);
  return false;
}

/** What PostgreSQL reports while processes of its predecessor are still ending. */
const PREDECESSOR_ENDS = /shared memory block|lock file ".*" already exists/;

/**
 * Resolves once a server responds: the running one or a new one. Waits for a predecessor that is
 * ending, and kills one that neither answers nor exits.
 */
async function ensureRunning(
  cluster: SupervisedCluster,
  aborted?: AbortSignal,
): Promise<{ readonly pid: number; readonly isAdopted: boolean }> {
  const untilMs = performance.now() + START_MS_MAX;
  const stuckMs = performance.now() + cluster.timing.silentMs;
  let launched: ReturnType<typeof launch> | undefined;
  let hasExited = false;
  while (performance.now() < untilMs) {
    if (aborted?.aborted) {
      if (launched?.pid !== undefined && !hasExited) await shutDown(cluster, launched.pid);
      aborted.throwIfAborted();
    }
    const running = findPostmaster(cluster.directories);
    if (running?.status === "ready") {
      if (running.pid === launched?.pid) return { pid: running.pid, isAdopted: false };
      if (await adopt(cluster, running.pid)) return { pid: running.pid, isAdopted: true };
      if (performance.now() > stuckMs) await shutDown(cluster, running.pid);
    } else if (running === null && launched === undefined) {
      launched = launch(cluster);
      hasExited = false;
      void launched.exited.then(() => {
        hasExited = true;
      });
    } else if (running === null && hasExited) {
      if (!PREDECESSOR_ENDS.test(tailOfLog(cluster.directories))) {
        throw new Error(`the embedded database did not start:\n${tailOfLog(cluster.directories)}`);
      }
      launched = undefined;
      await sleep(100);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`the embedded database did not start within ${START_MS_MAX} ms:\n${tailOfLog(cluster.directories)}`);
}

/**
 * "failed": it reports a recovery that no process carries out; PostgreSQL 18 then waits forever.
 * "stopping": another process told it to end; it refuses connections until its clients have left.
 */
type Probed = "ready" | "recovering" | "failed" | "stopping" | "silent";

const COMPLAINTS: Readonly<Record<Exclude<Probed, "ready">, string>> = {
  recovering: "the embedded database does not finish its recovery; restarting it",
  failed: "the embedded database failed to recover; restarting it",
  stopping: "the embedded database does not finish its shutdown; restarting it",
  silent: "the embedded database does not answer; restarting it",
};

async function probe(cluster: SupervisedCluster, pid: number): Promise<Probed> {
  const timeoutMs = Math.min(PROBE_MS_MAX, cluster.timing.silentMs);
  try {
    await withConnection(cluster, "postgres", (client) => client.query("select 1"), timeoutMs);
    return "ready";
  } catch (error) {
    const code = (error as { readonly code?: string }).code;
    if (code === CANNOT_CONNECT_NOW) {
      if (findPostmaster(cluster.directories)?.status === "stopping") return "stopping";
      return isRecovering(pid) ? "recovering" : "failed";
    }
    // Any other refusal comes from a server that runs, such as too many connections.
    return error instanceof pg.DatabaseError ? "ready" : "silent";
  }
}

/**
 * Restarts the server whenever it exits or stops answering, until the returned function is called.
 * A running process may be unusable: it recovers forever after a disk failure, or hangs.
 */
function watch(cluster: SupervisedCluster, state: { pid: number }): () => Promise<void> {
  const { probeEveryMs, silentMs } = cluster.timing;
  const stopping = new AbortController();
  let recoveringMs = cluster.timing.recoveringMs;

  const restart = async (): Promise<void> => {
    try {
      state.pid = (await ensureRunning(cluster, stopping.signal)).pid;
      cluster.log.info({ pid: state.pid }, "the embedded database is running again");
    } catch (err) {
      if (!stopping.signal.aborted) cluster.log.error({ err }, "the embedded database could not be restarted");
    }
  };

  const run = async (): Promise<void> => {
    let readyMs = performance.now();
    let probedMs = performance.now();
    let foundBefore: Probed = "ready";
    while (!stopping.signal.aborted) {
      if (!isAlive(state.pid)) {
        cluster.log.error({ pid: state.pid }, "the embedded database exited; restarting it");
        await restart();
        foundBefore = "ready";
        readyMs = performance.now();
      } else if (performance.now() - probedMs >= probeEveryMs) {
        const found = await probe(cluster, state.pid);
        // It may be ready, or at its next attempt, a moment later.
        const hasFailed = found === "failed" && foundBefore === "failed";
        foundBefore = found;
        probedMs = performance.now();
        limitLog(cluster.directories);
        if (found === "ready") {
          readyMs = probedMs;
          recoveringMs = cluster.timing.recoveringMs;
        } else if (hasFailed) {
          cluster.log.error({ pid: state.pid }, COMPLAINTS.failed);
          await shutDownAtOnce(cluster, state.pid);
          continue;
        } else if (probedMs - readyMs > (found === "silent" ? silentMs : recoveringMs)) {
          cluster.log.error({ pid: state.pid }, COMPLAINTS[found]);
          if (found === "recovering") recoveringMs *= 2;
          await shutDown(cluster, state.pid);
          continue;
        }
      }
      await sleep(Math.min(WATCH_EVERY_MS, probeEveryMs), undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

async function stop(cluster: SupervisedCluster, pid: number): Promise<void> {
  if (findPostmaster(cluster.directories)?.pid !== pid) return;
  // A server that does not answer is not in use.
  if (await isInUse(cluster).catch(() => false)) {
    cluster.log.warn({ pid }, "another process still uses the embedded database; leaving it running");
    return;
  }
  await shutDown(cluster, pid);
}

/**
 * Starts the PostgreSQL installed by npm on `dataDir`, or reuses a server left by a killed parent.
 * As root it runs as `nobody`. Throws with instructions if the cluster cannot be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const user = findServiceUser();
  const binaries = await findBinaries(user);
  const directories = await findPostgresDirectories(path.resolve(options.dataDir), user, options.log);
  const timing = { ...TIMING, ...options.timing };
  const settings = toSettings(directories, durable);
  const cluster: SupervisedCluster = { binaries, directories, user, durable, settings, log: options.log, timing };
  if (!existsSync(path.join(directories.clusterDir, "PG_VERSION"))) await initialise(cluster, options.signal);
  directories.saveInitialised();
  assertSameMajor(cluster);
  const { pid, isAdopted } = await ensureRunning(cluster, options.signal);
  await ensureDatabase(cluster, DATABASE);
  const state = { pid };
  const unwatch = watch(cluster, state);
  return {
    connectionString: toConnectionString(directories, DATABASE),
    toConnectionString: (databaseName) => toConnectionString(directories, databaseName),
    isAdopted,
    pid: () => state.pid,
    async stop() {
      await unwatch();
      await stop(cluster, state.pid);
    },
  };
}
