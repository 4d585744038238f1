import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type PostgresDirectories, SOCKET_FILE } from "./directories.ts";

type PostmasterStatus = "starting" | "ready" | "stopping";

interface Postmaster {
  readonly pid: number;
  readonly status: PostmasterStatus;
}

const PID_LINE = 0;
const MEMORY_LINE = 6;
const STATUS_LINE = 7;

function toStatus(word: string | undefined): PostmasterStatus {
  if (word === "ready" || word === "standby") return "ready";
  return word === "stopping" ? "stopping" : "starting";
}

/** An exited process whose parent (often a container's init) has not collected it. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** False only if known. On systems other than Linux the later connection decides. */
function isPostgres(pid: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}

export function findChildren(pid: number): readonly number[] {
  if (process.platform !== "linux") return listProcesses().flatMap((one) => (one.parent === pid ? [one.pid] : []));
  const isChild = (entry: string): boolean => {
    try {
      // The command's name may contain spaces and parentheses.
      const [, parent] = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return Number(parent) === pid;
    } catch {
      return false;
    }
  };
  return listProc()
    .filter((entry) => /^\d+$/.test(entry) && isChild(entry))
    .map(Number);
}

/** Empty where `/proc` is hidden. */
function listProc(): readonly string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

/** Whether a process of the server recovers its files. True if the system cannot say. */
export function isRecovering(pid: number): boolean {
  const children = findChildren(pid);
  return children.length === 0 || children.some((child) => / startup( |\0|$)/.test(findCommand(child)));
}

/** Empty if the process has ended. */
function findCommand(pid: number): string {
  if (process.platform !== "linux") return listProcesses().find((one) => one.pid === pid)?.command ?? "";
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** For systems without `/proc`. Empty if `ps` cannot be run. */
function listProcesses(): readonly { readonly pid: number; readonly parent: number; readonly command: string }[] {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" });
  return [...(stdout ?? "").matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

/** Whether processes of a dead server still use its memory. False if the system cannot say. */
function isMemoryInUse(memoryLine: string | undefined): boolean {
  const id = memoryLine?.trim().split(/\s+/)[1];
  try {
    const segments = readFileSync("/proc/sysvipc/shm", "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/));
    const heading = segments[0] ?? [];
    const segment = segments.find((fields) => fields[heading.indexOf("shmid")] === id);
    return segment !== undefined && Number(segment[heading.indexOf("nattch")]) > 0;
  } catch {
    return false;
  }
}

/** Removes the lock files of the cluster and of its socket that name this process. */
function removeLocks(files: readonly string[], pid: number): void {
  for (const file of files) {
    try {
      if (Number(readFileSync(file, "utf8").split("\n")[PID_LINE]) === pid) rmSync(file);
    } catch {
      // Already removed.
    }
  }
}

/**
 * The running server of a cluster, or null. Removes stale lock files, whose process has exited or
 * is another program's. Processes that survive their server count as a stopping server.
 */
export function findPostmaster({
  clusterDir,
  socketDir,
}: Pick<PostgresDirectories, "clusterDir" | "socketDir">): Postmaster | null {
  const file = path.join(clusterDir, "postmaster.pid");
  let lines: readonly string[];
  try {
    lines = readFileSync(file, "utf8").split("\n");
  } catch {
    return null;
  }
  const pid = Number(lines[PID_LINE]);
  // The file is being written; the next check finds it complete.
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (isAlive(pid) && isPostgres(pid)) return { pid, status: toStatus(lines[STATUS_LINE]?.trim()) };
  if (isMemoryInUse(lines[MEMORY_LINE])) return { pid, status: "stopping" };
  removeLocks([file, path.join(socketDir, `${SOCKET_FILE}.lock`)], pid);
  return null;
}
