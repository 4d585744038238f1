/** Debian's packages, installed where that is ours to do. Plain JavaScript: it runs before our own packages are there. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/** Whether packages may be installed here: on Debian and its kin, as root. */
export function canInstall() {
  return existsSync("/etc/debian_version") && process.getuid?.() === 0;
}

/**
 * Runs apt-get with `steps`, each a list of its arguments, whatever becomes of them: who asked looks whether it is there by now. Its words go to
 * standard error, for standard output belongs to the script that runs next.
 * @param {readonly (readonly string[])[]} steps
 */
export function runApt(steps) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of steps) spawnSync("apt-get", step, { env, stdio: ["ignore", 2, 2] });
}
