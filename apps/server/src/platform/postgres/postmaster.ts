import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type Place, SOCKET_FILE } from "./place.ts";

type PostmasterStatus = "starting" | "ready" | "stopping";

/** A server process as described by its lock file. */
interface Postmaster {
  readonly pid: number;
  readonly status: PostmasterStatus;
}

const PID_LINE = 0;
/** Key and id of the shared memory. */
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

/** Whether the process runs, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** False only if known. On systems other than Linux the connection that follows decides. */
function isPostgres(pid: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}

/** Processes that a server has started. Empty where the system cannot tell. */
export function findChildren(pid: number): readonly number[] {
  if (process.platform !== "linux") return [];
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
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && isChild(entry))
    .map(Number);
}

/** Whether processes of a dead server still use its memory. False where the system cannot tell. */
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
      // It is gone already.
    }
  }
}

/**
 * The running server of a cluster, or null. Removes stale lock files, which PostgreSQL would take
 * for a running server: their process is another program's, or has exited and was not collected by
 * its parent. Processes that survive their server count as one that stops.
 */
export function findPostmaster({ clusterDir, socketDir }: Pick<Place, "clusterDir" | "socketDir">): Postmaster | null {
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
