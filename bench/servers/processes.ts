import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { note } from "../report.ts";

/** Servers and PostgreSQL share the first core; the load generator has the second. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`;
const ENDING_MS = 12_000;
/** The unit of /proc/stat. */
const TICK_MS = 10;
const OTHER_FILES = 300;

const canPin = availableParallelism() >= 2 && spawnSync("taskset", ["-V"]).status === 0;

/** A command line that keeps what follows on these cores. Default: the servers'. */
export function toPinned(cores = String(SERVER_CORE)): readonly string[] {
  return canPin ? ["taskset", "-c", cores] : [];
}

export function pin(pid: number, cores = String(SERVER_CORE)): void {
  if (canPin) spawnSync("taskset", ["-a", "-p", "-c", cores, String(pid)]);
}

/** Default: the core that servers do not use. */
export function pinLoadGenerator(cores = String(LOAD_CORE)): void {
  if (!canPin) note("bench: this machine cannot keep servers and load apart: compare with care");
  pin(process.pid, cores);
}

/** A process on the servers' core that ends with this one. */
export function startOnServerCore(file: string, args: readonly string[] = [], profileDir?: string): ChildProcess {
  const [command, ...rest] = [...toPinned(), process.execPath, ...toProfiled(profileDir), file, ...args];
  return spawn(command!, rest, {
    env: { PATH: process.env.PATH, TZ: "UTC" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

export function toProfiled(profileDir: string | undefined): readonly string[] {
  return profileDir === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileDir}`];
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

/** Sends SIGTERM, then SIGKILL after a timeout. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), ENDING_MS);
  await ended;
  clearTimeout(timer);
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

/** 0 while the process does not run. */
export function readResidentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** An even number of connections that the limit of open files allows. */
export function countAllowed(wanted: number): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const allowed = limit === undefined ? wanted : Math.min(wanted, Number(limit) - OTHER_FILES);
  if (allowed < wanted) note("bench: the limit of open files allows fewer connections (ulimit -n)");
  return allowed - (allowed % 2);
}
