/** The programs that building and testing a native host need. */
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { canInstall, runApt } from "../install/debian.js";

export interface Tool {
  /** A program in PATH, or the absolute path of a file. */
  readonly program: string;
  /** The Debian package that contains it. */
  readonly debianPackage: string;
}

export function listMissing(tools: readonly Tool[]): readonly Tool[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const isThere = ({ program }: Tool) =>
    path.isAbsolute(program) ? existsSync(program) : folders.some((folder) => existsSync(path.join(folder, program)));
  return tools.filter((tool) => !isThere(tool));
}

/** Installs missing tools on Debian as root. Returns the tools that are still missing. */
export function provideTools(tools: readonly Tool[]): readonly Tool[] {
  const missing = listMissing(tools);
  if (missing.length === 0 || !canInstall()) return missing;
  process.stderr.write(`${formatMissing(missing)} Installing with apt-get.\n`);
  runApt([["update"], ["install", "-y", "--no-install-recommends", ...listPackages(missing)]]);
  return listMissing(tools);
}

/** `missing` has at least one tool. */
export function formatMissing(missing: readonly Tool[]): string {
  const programs = missing.map(({ program }) => program).join(", ");
  return `Missing: ${programs} (Debian: apt-get install ${listPackages(missing).join(" ")}).`;
}

function listPackages(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.map(({ debianPackage }) => debianPackage))];
}
