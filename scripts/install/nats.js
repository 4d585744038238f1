/** Finds or installs the NATS server for the tests of several servers. */
import path from "node:path";
import process from "node:process";
import { canInstall, runApt } from "./debian.js";
import { isExecutable } from "./executable.js";

/** Debian's packages put it where only root's PATH leads. */
const MORE_FOLDERS = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * NATS_SERVER_PATH if set, else the first in the usual places; null if there is none.
 * @returns {string | null}
 */
export function findNats() {
  const chosen = process.env.NATS_SERVER_PATH;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ...MORE_FOLDERS];
  return folders.map((folder) => path.join(folder, "nats-server")).find(isExecutable) ?? null;
}

/**
 * Finds NATS, or installs it on Debian as root. Returns a message if it is missing, else null.
 * @returns {string | null}
 */
export function provideNats() {
  if (findNats() !== null) return null;
  if (process.env.NATS_SERVER_PATH) return `There is no program at NATS_SERVER_PATH (${process.env.NATS_SERVER_PATH}).`;
  if (canInstall()) {
    process.stderr.write("The NATS server is missing: installing it with apt-get.\n");
    runApt([["update"], ["install", "-y", "--no-install-recommends", "nats-server"]]);
    if (findNats() !== null) return null;
  }
  return "The tests of several servers need nats-server: install it (Debian: apt-get install nats-server), or set NATS_SERVER_PATH.";
}
