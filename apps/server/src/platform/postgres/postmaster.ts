import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type PostgresDirectories, SOCKET_FILE } from "./directories.ts";

interface Postmaster {
  readonly pid: number;
  readonly isReady: boolean;
}

const PID_LINE = 0;
const STATUS_LINE = 7;

/** Name and state of a process, or null if it has gone or the system cannot say. */
function readProcess(pid: number): { readonly name: string; readonly state: string } | null {
  try {
    const [, name = "", state = ""] = /\((.*)\) (.)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { name, state };
  } catch {
    return null;
  }
}

/** False for an exited process that its parent (often a container's init) has not collected. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return !/[ZX]/.test(readProcess(pid)?.state ?? "");
}

/**
 * The running server of a cluster, or null. Removes stale lock files, whose process has exited or
 * is another program's.
 */
export function findPostmaster({
  clusterDir,
  socketDir,
}: Pick<PostgresDirectories, "clusterDir" | "socketDir">): Postmaster | null {
  const file = path.join(clusterDir, "postmaster.pid");
  const lines = readLines(file);
  const pid = Number(lines[PID_LINE]);
  // There is none, or the file is being written; the next check finds it complete.
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (isAlive(pid) && (readProcess(pid)?.name ?? "postgres") === "postgres")
    return { pid, isReady: /^(ready|standby)/.test(lines[STATUS_LINE] ?? "") };
  for (const lock of [file, path.join(socketDir, `${SOCKET_FILE}.lock`)])
    if (Number(readLines(lock)[PID_LINE]) === pid) rmSync(lock, { force: true });
  return null;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
