/**
 * The temporary folder of a test run: in memory where there is enough of it, because creating and
 * deleting hundreds of databases on a disk takes a tenth of all processor time.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const MEMORY = "/dev/shm";
const PREFIX = "holo-tests-";
/** Twice what a run writes, and what its processes need beside it. */
const FREE_BYTES_MIN = 8 * 2 ** 30;
const AVAILABLE_BYTES_MIN = 12 * 2 ** 30;

/**
 * Null if TMPDIR is set or memory is short: then the system's folder serves.
 * @returns {string | null}
 */
export function makeTestFolder() {
  if (process.env.TMPDIR || process.platform !== "linux" || !existsSync(MEMORY)) return null;
  removeAbandoned();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < FREE_BYTES_MIN || process.availableMemory() < AVAILABLE_BYTES_MIN) return null;
  const folder = path.join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder);
  // If the tests run as root, databases run as another user.
  chmodSync(folder, 0o1777);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A killed run leaves its folder, which is named after its process. */
function removeAbandoned() {
  for (const name of readdirSync(MEMORY)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (!Number.isNaN(owner) && !existsSync(`/proc/${owner}`)) {
      rmSync(path.join(MEMORY, name), { recursive: true, force: true });
    }
  }
}
