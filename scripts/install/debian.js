/** Installs Debian packages. Plain JavaScript, because it runs before npm's packages exist. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/** True on Debian and its derivatives, as root. */
export function canInstall() {
  return existsSync("/etc/debian_version") && process.getuid?.() === 0;
}

/**
 * Runs apt-get with each list of arguments and ignores failures: callers check for the program.
 * Output goes to standard error; standard output belongs to the script that runs next.
 * @param {readonly (readonly string[])[]} steps
 */
export function runApt(steps) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of steps) spawnSync("apt-get", step, { env, stdio: ["ignore", 2, 2] });
}
