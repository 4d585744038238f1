import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Fills the disk for these processes, or frees it: PostgreSQL and Node treat the file size limit
 * like a full disk. Needs no privilege; Linux only.
 */
export async function setDiskFull(pids: readonly number[], isFull: boolean): Promise<void> {
  const limit = isFull ? "0" : "unlimited";
  for (const pid of pids) {
    try {
      // Under root the database has another user, whose limits root may not be allowed to change.
      const { uid, gid } = statSync(`/proc/${pid}`);
      const owner = process.getuid?.() === 0 ? { uid, gid } : {};
      await run("prlimit", ["--pid", String(pid), `--fsize=${limit}:unlimited`], owner);
    } catch (error) {
      // The process has ended meanwhile.
      if (existsSync(`/proc/${pid}`)) throw error;
    }
  }
}
