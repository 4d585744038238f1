import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { layWire, type Wire } from "./wire.ts";

/** A server of a test's own: a real process with its own port, DATA_DIR and durable database. */
export interface ArenaServer {
  readonly url: string;
  readonly dataDir: string;
  /** Another way to it, which can be cut. */
  readonly wire: Wire;
  /** Resolves once it is ready to serve. */
  start(): Promise<void>;
  /** In order, its database with it; it can be started again. */
  stop(): Promise<void>;
  /** As a crash does it (SIGKILL): nothing is put in order. Its database goes on, as it would. */
  kill(): Promise<void>;
  /** Ends it in order, with its database, and removes what it kept. */
  remove(): Promise<void>;
  /** Lets the tables' time run ahead at once; only of a server started with `hasTableClock`. */
  advanceTables(ms: number): Promise<void>;
  /** What it logged as an error or worse since this was asked last: each file answers for its own tests. */
  takeFaults(): readonly string[];
}

export interface ArenaServerOptions {
  /** Its tables go by a clock that `advanceTables` moves. */
  readonly hasTableClock?: boolean;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Many times what it takes: a busy machine is slow, not wrong. */
const READY_MS_MAX = 60_000;
const EXIT_MS_MAX = 12_000;
const POLL_MS = 25;
const ERROR_LEVEL = 50;

export async function makeArenaServer(options: ArenaServerOptions = {}): Promise<ArenaServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "holo-e2e-"));
  // As root the database runs as nobody, who has to get there.
  chmodSync(dataDir, 0o755);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const wire = await layWire(() => port);
  const logFile = path.join(dataDir, "server.log");
  const entry = options.hasTableClock ? "e2e/server-with-table-clock.ts" : "apps/server/src/main.ts";
  // What one process has compiled the next need not: NODE_COMPILE_CACHE is set by scripts/test.js.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const given = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
  const env = { ...given, NODE_ENV: "test", PORT: String(port), PUBLIC_URL: wire.url };
  let child: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let takenCount = 0;

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [entry], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    child = started;
    const keep = (text: Buffer) => appendFileSync(logFile, text);
    started.stdout?.on("data", keep);
    started.stderr?.on("data", keep);
    exited = new Promise((resolve) => started.once("exit", () => resolve()));
    const untilMs = performance.now() + READY_MS_MAX;
    while (!(await isReady(url))) {
      if (started.exitCode !== null || performance.now() > untilMs) {
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

  function readLog(): string {
    return existsSync(logFile) ? readFileSync(logFile, "utf8") : "";
  }

  return {
    url,
    dataDir,
    wire,
    start,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    async remove() {
      await wire.close();
      await end("SIGTERM");
      await endDatabase(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
    async advanceTables(ms) {
      const target = child;
      if (target === null) throw new Error("the server does not run");
      await new Promise<void>((resolve) => {
        target.once("message", () => resolve());
        target.send({ advanceMs: ms });
      });
    },
    takeFaults() {
      const lines = readLog().split("\n");
      const fresh = lines.slice(takenCount);
      // The last is the beginning of what is written next, or nothing.
      takenCount = lines.length - 1;
      return fresh.filter(
        (line) => line.startsWith("{") && (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL,
      );
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The database of a server that did not end in order is still there. */
async function endDatabase(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, "postgres", "data", "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  process.kill(pid, "SIGINT");
  const untilMs = performance.now() + EXIT_MS_MAX;
  while (existsSync(pidFile) && performance.now() < untilMs) await sleep(POLL_MS);
}
