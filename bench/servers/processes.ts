import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";

/** Servers and PostgreSQL share the first core; the load generator has the second. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`;
const ENDING_MS = 12_000;
/** The unit of /proc/stat. */
const TICK_MS = 10;

const canPin = availableParallelism() >= 2 && spawnSync("taskset", ["-V"]).status === 0;

/** Whether servers and load run on separate cores; otherwise ratios are less meaningful. */
export function isPinned(): boolean {
  return canPin;
}

export function pinLoadGenerator(cores = String(LOAD_CORE)): void {
  if (canPin) spawnSync("taskset", ["-a", "-p", "-c", cores, String(process.pid)]);
}

const running = new Set<ChildProcess>();

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly profileDir?: string | undefined;
  /** As `taskset -c` takes them. Default: the servers' core. */
  readonly cores?: string | undefined;
}

export function startOnServerCore(file: string, options: StartOptions = {}): ChildProcess {
  const { env = {}, args = [], profileDir, cores = String(SERVER_CORE) } = options;
  const node = [process.execPath, ...(profileDir === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileDir}`])];
  const [command, ...rest] = [...(canPin ? ["taskset", "-c", cores] : []), ...node, file, ...args];
  const child = spawn(command!, rest, {
    env: { PATH: process.env.PATH, TZ: "UTC", ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

export async function waitForMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`a process of the benchmark ended with ${code}`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

export function waitForText(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      printed = (printed + part).slice(-10_000);
      if (printed.includes(text)) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a server of the benchmark ended with ${code}:\n${printed}`)));
  });
}

/** Sends SIGTERM, then SIGKILL after a timeout. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), ENDING_MS);
  await ended;
  clearTimeout(timer);
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await ended;
}

export function stopAllOnExit(): void {
  process.once("exit", () => {
    for (const child of running) child.kill("SIGTERM");
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
}

/** CPU time of each process over all threads, in ms. Omits processes that have exited. */
export function readCpuMs(pids: readonly number[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const pid of pids) {
    try {
      const threads = readdirSync(`/proc/${pid}/task`);
      const ns = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
      times.set(pid, ns.reduce((sum, one) => sum + one, 0) / 1e6);
    } catch {
      // It exited between listing and reading.
    }
  }
  return times;
}

/** CPU time between two readings, in ms, of all processes or of one. */
export function toCpuMs(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  onlyPid?: number,
): number {
  let used = 0;
  for (const [pid, ms] of after) if (onlyPid === undefined || pid === onlyPid) used += ms - (before.get(pid) ?? 0);
  return used;
}

export function listProcessTree(pid: number): readonly number[] {
  const family = [pid];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The name in parentheses may contain anything; state and parent follow it.
      if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid) family.push(Number(name));
    } catch {
      // It exited while the list was read.
    }
  }
  return family;
}

export function readServerCoreMs(): number {
  const line = new RegExp(`^cpu${SERVER_CORE} (\\d+) (\\d+) (\\d+)`, "m").exec(readFileSync("/proc/stat", "utf8"));
  if (line === null) return 0;
  const [, user, nice, system] = line;
  return (Number(user) + Number(nice) + Number(system)) * TICK_MS;
}

export function readResidentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1_024;
}

const OTHER_FILES = 300;

/** An even number of connections that the limit of open files allows. */
export function countAllowed(wanted: number): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const allowed = limit === undefined ? wanted : Math.min(wanted, Number(limit) - OTHER_FILES);
  return allowed - (allowed % 2);
}
