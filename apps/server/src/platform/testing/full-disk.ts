import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Fills the disk for these processes, or frees it again: PostgreSQL and Node treat the limit of a
 * file's size like a full disk. Needs no privilege; Linux only.
 */
export async function setDiskFull(pids: readonly number[], isFull: boolean): Promise<void> {
  const limit = isFull ? "0" : "unlimited";
  // A process may have ended meanwhile.
  const limitOne = (pid: number) =>
    run("prlimit", ["--pid", String(pid), `--fsize=${limit}:unlimited`]).catch(() => undefined);
  await Promise.all(pids.map(limitOne));
}
