/** The Node from npm's packages, which runs TypeScript directly. */
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
 * The path of that Node, else of the current one if it is new enough, else null. A script that
 * started before the installation runs on the machine's Node.
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
 * The script of an installed command, to be run by `findNode()`.
 * @param {string} file its path below node_modules
 */
export function toCommand(file) {
  return path.join(ROOT, "node_modules", file);
}
