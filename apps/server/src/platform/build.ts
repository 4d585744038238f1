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
/** What pictures of games are made of: the site's fonts in a weight each, and its drawings. */
export const FONT_FILES = ["familjen-grotesk-700.ttf", "hanken-grotesk-540.ttf"].map((name) =>
  locate(`fonts/${name}`, `apps/server/fonts/${name}`),
);
export const DRAWING_FILES = [
  locate("drawings/sprite.svg", "apps/web/src/ui/icon/sprite.svg"),
  ...["checkers-classic.svg", "chess-classic.svg"].map((name) =>
    locate(`drawings/${name}`, `apps/web/src/shared/board/piece-sets/${name}`),
  ),
];

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
