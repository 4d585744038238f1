/**
 * `npm run release [-- PLATFORM...]`: makes an archive for each platform in `dist`, of the commit
 * that is checked out. An operator unpacks and starts it: see docs/operations/install.md.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { loadVersion } from "../../apps/server/src/platform/build.ts";
import { ROOT } from "../runtime.js";
import { bundleServer } from "./bundle.ts";
import { copyNode, findNodePackage, findRenderer, NODE_PACKAGES, type Platform } from "./node-package.ts";

const DIST = path.join(ROOT, "dist");
const DEPLOY = ["Caddyfile", "alerts.yml", "dashboard.json", "holo-arena.service"];
const DOCS = ["operations", "configuration.md", "security.md"];

/** Where a bundled file finds it. */
const RENDERER = "server/node_modules/@resvg/resvg-js";
const SERVER_FILES = [
  ["apps/server/schema", "schema"],
  ["apps/server/fonts", "fonts"],
  ["apps/web/src/ui/icon/sprite.svg", "drawings/sprite.svg"],
  ...["checkers-classic.svg", "chess-classic.svg"].map((name) => [
    `apps/web/src/shared/board/piece-sets/${name}`,
    `drawings/${name}`,
  ]),
  ...["package.json", "index.js", "js-binding.js", "LICENSE"].map((name) => [
    `node_modules/@resvg/resvg-js/${name}`,
    `${RENDERER}/${name}`,
  ]),
] as const;

/** What the server needs to run, without its page and its native parts. */
export async function stageServer(folder: string, version: string): Promise<void> {
  await bundleServer(path.join(folder, "server"), version);
  for (const [from, to] of SERVER_FILES) await cp(path.join(ROOT, from!), path.join(folder, to!), { recursive: true });
}

/** Puts the renderer's native part there and returns its file. */
export async function stageRenderer(folder: string, platform: Platform): Promise<string> {
  const found = await findRenderer(platform);
  const file = path.join(folder, RENDERER, path.basename(found));
  await cp(found, file);
  return file;
}

/** Everything but Node and the renderer, which alone differ between platforms. */
async function stageRelease(folder: string, version: string): Promise<void> {
  const copies = [
    ["apps/web/dist", "page"],
    ["deploy/holo", "holo"],
    ...DEPLOY.map((name) => [`deploy/${name}`, `deploy/${name}`]),
    ...DOCS.map((name) => [`docs/${name}`, `docs/${name}`]),
  ] as const;
  await stageServer(folder, version);
  for (const [from, to] of copies) await cp(path.join(ROOT, from!), path.join(folder, to!), { recursive: true });
}

/** Makes the archives of these platforms in `into` and returns their files. */
export async function makeRelease(into: string, version: string, platforms: readonly Platform[]): Promise<string[]> {
  await mkdir(into, { recursive: true });
  const place = await mkdtemp(path.join(into, "staged-"));
  try {
    const name = `holo-arena-${version}`;
    const folder = path.join(place, name);
    await stageRelease(folder, version);
    await mkdir(path.join(folder, "bin"));
    const made: string[] = [];
    for (const platform of platforms) {
      const node = await findNodePackage(platform);
      await copyNode(path.join(node, "bin/node"), path.join(folder, "bin/node"));
      await cp(path.join(node, "LICENSE"), path.join(folder, "bin/LICENSE"));
      const renderer = await stageRenderer(folder, platform);
      const file = path.join(into, `${name}-${platform}.tar.gz`);
      const rights = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--sort=name"];
      execFileSync("tar", ["-czf", file, ...rights, "-C", place, name]);
      await rm(renderer);
      made.push(file);
    }
    return made;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((name) => !Object.hasOwn(NODE_PACKAGES, name));
  if (unknown.length > 0) throw new Error(`the platforms are ${Object.keys(NODE_PACKAGES).join(", ")}`);
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });
  if (changed !== "") throw new Error("a release is made of a commit: commit or stash what has changed");
  const platforms = (args.length === 0 ? Object.keys(NODE_PACKAGES) : args) as Platform[];
  let sums = "";
  for (const file of await makeRelease(DIST, loadVersion(), platforms)) {
    const content = await readFile(file);
    const sum = createHash("sha256").update(content).digest("hex");
    sums += `${sum}  ${path.basename(file)}\n`;
    process.stdout.write(`${path.relative(ROOT, file)}: ${(content.length / 2 ** 20).toFixed(1)} MiB\n`);
  }
  await writeFile(path.join(DIST, "SHA256SUMS"), sums);
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`No release was made: ${error.message}\n`);
    process.exitCode = 1;
  });
}
