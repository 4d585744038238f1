import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** scripts/release/bundle.ts writes the version of a release here. The sources have none. */
declare const RELEASE_VERSION: string | undefined;

export const isRelease = typeof RELEASE_VERSION !== "undefined";

/** In a release every file of the bundle is in `server`, beside `schema` and `page`. */
function locate(inRelease: string, inSources: string): string {
  return fileURLToPath(new URL(isRelease ? `../${inRelease}` : `../../../../${inSources}`, import.meta.url));
}

export const SCHEMA_FOLDER = locate("schema", "apps/server/schema");
export const PAGE_FOLDER = locate("page", "apps/web/dist");

let version: string | null = null;

/** From package.json and the commit, as 1.0.0+28b46e3c10. */
export function loadVersion(): string {
  version ??= isRelease ? RELEASE_VERSION! : readVersion();
  return version;
}

function readVersion(): string {
  const file = locate("", "package.json");
  const { version: named }: { readonly version: string } = JSON.parse(readFileSync(file, "utf8"));
  const git = spawnSync("git", ["rev-parse", "--short=10", "HEAD"], { cwd: locate("", ""), encoding: "utf8" });
  return git.status === 0 ? `${named}+${git.stdout.trim()}` : named;
}
