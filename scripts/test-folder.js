/**
 * The temporary folder of a test run: in memory where there is enough of it, because creating and
 * deleting hundreds of databases on a disk takes a sixth of the processor time of server tests.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
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
  if (process.env.TMPDIR || process.platform !== "linux" || !allowsPrograms(MEMORY)) return null;
  removeAbandoned();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < FREE_BYTES_MIN || process.availableMemory() < AVAILABLE_BYTES_MIN) return null;
  const folder = mkdtempSync(path.join(MEMORY, `${PREFIX}${process.pid}-`));
  // If the tests run as root, databases run as another user.
  chmodSync(folder, 0o1777);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * False if it is no file system of its own, or one without programs: some tests build libraries.
 * @param {string} folder
 */
function allowsPrograms(folder) {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.map((line) => line.split(" ")).findLast(([, at]) => at === folder)?.[3];
  return options !== undefined && !options.split(",").includes("noexec");
}

/** A killed run leaves its folder, which is named after its process. */
function removeAbandoned() {
  for (const name of readdirSync(MEMORY)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : Number.NaN;
    if (Number.isNaN(owner) || existsSync(`/proc/${owner}`)) continue;
    try {
      rmSync(path.join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, whose next run removes it.
    }
  }
}
