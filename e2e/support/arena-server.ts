import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { findPostgresDirectories } from "../../apps/server/src/platform/postgres/directories.ts";
import { findPostmaster } from "../../apps/server/src/platform/postgres/postmaster.ts";
import { findServiceUser } from "../../apps/server/src/platform/postgres/service-user.ts";
import { findChildren } from "../../apps/server/src/platform/testing/child-processes.ts";
import { findPort } from "../../apps/server/src/platform/testing/free-port.ts";
import { type CuttableProxy, openCuttableProxy } from "./cuttable-proxy.ts";
import { copyPreparedData } from "./prepared-data.ts";

export interface ArenaServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly proxy: CuttableProxy;
  start(): Promise<void>;
  /** Graceful shutdown, including the database. The server can be started again. */
  stop(): Promise<void>;
  /** Crash (SIGKILL). The database keeps running. */
  kill(): Promise<void>;
  remove(): Promise<void>;
  isReady(): Promise<boolean>;
  /** The server's process. Throws if it does not run. */
  pid(): number;
  findDatabaseProcesses(): readonly number[];
  advanceTables(ms: number): Promise<void>;
  /** To what a test loads into the server's process. Resolves once it has arrived. */
  send(message: object): Promise<void>;
  takeLoggedErrors(): readonly string[];
}

const ENTRY = "e2e/support/server-with-table-clock.ts";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Generous, because a busy machine is slow. */
const READY_MS_MAX = 60_000;
const EXIT_MS_MAX = 12_000;
const POLL_MS = 50;
const ERROR_LEVEL = 50;

export async function makeArenaServer(settings: Readonly<Record<string, string>> = {}): Promise<ArenaServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "holo-e2e-"));
  // If the tests run as root, the database runs as the user `nobody` and needs access.
  chmodSync(dataDir, 0o755);
  const isEmbedded = settings.DATABASE_URL === undefined;
  if (isEmbedded) copyPreparedData(dataDir);
  const database = isEmbedded ? await findPostgresDirectories(dataDir, findServiceUser(), openLog("silent")) : null;
  const port = await findPort();
  const url = `http://localhost:${port}`;
  const proxy = await openCuttableProxy(() => port);
  const logFile = path.join(dataDir, "server.log");
  // Shares the compile cache between server processes; scripts/test.js sets it.
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const inherited = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, DATA_DIR: dataDir };
  const env = { ...inherited, NODE_ENV: "test", PORT: String(port), PUBLIC_URL: proxy.url, ...settings };
  let child: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let takenCount = 0;

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [ENTRY], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    child = started;
    // A process's last output may come after its end.
    const keep = (text: Buffer) => existsSync(dataDir) && appendFileSync(logFile, text);
    started.stdout?.on("data", keep);
    started.stderr?.on("data", keep);
    exited = new Promise((resolve) => started.once("exit", () => resolve()));
    const untilMs = performance.now() + READY_MS_MAX;
    while (!(await isReady(port))) {
      if (started.exitCode !== null || performance.now() > untilMs) {
        started.kill("SIGKILL");
        throw new Error(`the server did not start:\n${readLog()}`);
      }
      await sleep(POLL_MS);
    }
  }

  async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    child?.kill(signal);
    await Promise.race([exited, sleep(EXIT_MS_MAX)]);
    if (child?.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
    child = null;
  }

  async function send(message: object): Promise<void> {
    const target = child;
    if (target === null) throw new Error("the server does not run");
    await new Promise<void>((resolve) => {
      target.once("message", () => resolve());
      target.send(message);
    });
  }

  function readLog(): string {
    return existsSync(logFile) ? readFileSync(logFile, "utf8") : "";
  }

  return {
    url,
    port,
    dataDir,
    proxy,
    start,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    isReady: () => isReady(port),
    pid() {
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
        throw new Error("the server does not run");
      return child.pid;
    },
    findDatabaseProcesses() {
      const postmaster = database === null ? null : findPostmaster(database);
      return postmaster === null ? [] : [postmaster.pid, ...findChildren(postmaster.pid)];
    },
    async remove() {
      await proxy.close();
      await end("SIGTERM");
      await endDatabase(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
    advanceTables: (ms) => send({ advanceMs: ms }),
    send,
    takeLoggedErrors() {
      const lines = readLog().split("\n");
      const fresh = lines.slice(takenCount);
      // The last line is incomplete or empty.
      takenCount = lines.length - 1;
      return fresh.filter(
        (line) => line.startsWith("{") && (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL,
      );
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    // No name, which would be looked up each time.
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    // Not listening yet.
    return false;
  }
}

async function endDatabase(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, "postgres", "data", "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  process.kill(pid, "SIGINT");
  const untilMs = performance.now() + EXIT_MS_MAX;
  while (existsSync(pidFile) && performance.now() < untilMs) await sleep(POLL_MS);
}
