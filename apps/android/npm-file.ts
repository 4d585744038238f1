/** Files of npm packages that are too large to install. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../../scripts/native/run.ts";

export interface NpmFile {
  readonly package: string;
  readonly integrity: string;
  readonly file: string;
  readonly sha256: string;
}

/** Google's dx 1.11 (Apache 2.0), a build tool that Debian 12 lacks. Not part of the app. */
export const DX: NpmFile = {
  package: "@nativescript/android@9.1.1",
  integrity: "sha512-oDWfVnQtgQ0ctbfFWSugqGEZnYVjls82FqlO5UbA9HNwTNqdP4gqWwqHR80WKQngrbxlRHYDIuYv5S9kQfKhcw==",
  file: "framework/build-tools/android-metadata-generator.jar",
  sha256: "65b0efce431b4c554d1aed6e18a6d7d20d02cbe945a3302cdf635e3031f35152",
};

const CACHE_DIR = path.join(import.meta.dirname, "..", "..", ".cache", "native");

/** Fetches once and checks the hash each time. Throws on a mismatch. @returns the path */
export async function fetchFromNpm(wanted: NpmFile): Promise<string> {
  const kept = path.join(CACHE_DIR, wanted.sha256.slice(0, 16) + path.extname(wanted.file));
  if (!existsSync(kept)) fetch(wanted, kept);
  if (hash("sha256", kept).toString("hex") !== wanted.sha256)
    throw new Error(`${kept} is not ${wanted.file}: delete it.`);
  return kept;
}

function fetch({ package: name, integrity, file }: NpmFile, kept: string): void {
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE_DIR, "npm-"));
  process.stderr.write(`Fetching ${name} with npm, for ${path.basename(file)} alone.\n`);
  try {
    const packed = path.join(folder, run("npm", ["pack", "--silent", name], { cwd: folder }).trim());
    if (`sha512-${hash("sha512", packed).toString("base64")}` !== integrity)
      throw new Error(`${name} is not what it was.`);
    run("tar", ["-xzf", packed, "-C", folder, `package/${file}`]);
    renameSync(path.join(folder, "package", file), kept);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hash(algorithm: string, file: string): Buffer {
  return createHash(algorithm).update(readFileSync(file)).digest();
}
