/** The Node that npm brought with the packages: the one that runs TypeScript as it stands. */
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const MAJOR_MIN = 24;
const PACKAGES = [
  `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`,
  `node-bin-${process.platform}-${process.arch}`,
];

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * The path of that Node, else of the one that runs us if it is new enough, else null. A script that began before the packages were
 * installed runs on the machine's own, which may be old.
 * @returns {string | null}
 */
export function findNode() {
  const program = process.platform === "win32" ? "node.exe" : "node";
  const brought = PACKAGES.map((name) => path.join(ROOT, "node_modules", name, "bin", program)).find((file) =>
    existsSync(file),
  );
  if (brought !== undefined) return brought;
  return Number(process.versions.node.split(".")[0]) >= MAJOR_MIN ? process.execPath : null;
}

/**
 * The entry of a command that a package of ours brings, to be run by `findNode()`.
 * @param {string} file its path below node_modules
 */
export function toCommand(file) {
  return path.join(ROOT, "node_modules", file);
}
