import { readFileSync, rmSync } from "node:fs";
import path from "node:path";

export type PostmasterStatus = "starting" | "ready" | "stopping";

/** A server process as described by its lock file. */
export interface Postmaster {
  readonly pid: number;
  readonly status: PostmasterStatus;
}

const PID_LINE = 0;
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

/** The running server of a cluster, or null. Removes a stale lock file. */
export function findPostmaster(clusterDir: string): Postmaster | null {
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
  if (!isAlive(pid)) return null;
  if (!isPostgres(pid)) {
    rmSync(file, { force: true });
    return null;
  }
  return { pid, status: toStatus(lines[STATUS_LINE]?.trim()) };
}
