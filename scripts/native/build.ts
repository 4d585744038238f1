import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../runtime.js";
import type { BuildOrder, HostName, NativeHost } from "./host.ts";
import { formatMissing, provideTools } from "./tools.ts";

const OUT_DIR = path.join(ROOT, "dist", "native");

/** `host` is exported by `apps/<host>/host.ts`. */
export async function loadHost(host: HostName): Promise<NativeHost> {
  return (await import(`../../apps/${host}/host.ts`)).host;
}

/** Builds into dist/native with a SHA-256 file each. Returns false if tools are missing. */
export async function buildHost(order: Omit<BuildOrder, "outDir"> & { readonly host: HostName }): Promise<boolean> {
  const { buildTools, build } = await loadHost(order.host);
  const missing = provideTools(buildTools);
  if (missing.length > 0) {
    process.stderr.write(`${formatMissing(missing)}\n`);
    return false;
  }
  mkdirSync(OUT_DIR, { recursive: true });
  const { host: _, ...wanted } = order;
  for (const file of await build({ ...wanted, outDir: OUT_DIR })) process.stdout.write(`${writeChecksum(file)}\n`);
  return true;
}

/** Writes `<file>.sha256`. @returns a line with name, size and hash */
export function writeChecksum(file: string): string {
  const content = readFileSync(file);
  const sha256 = createHash("sha256").update(content).digest("hex");
  writeFileSync(`${file}.sha256`, `${sha256}  ${path.basename(file)}\n`);
  return `${path.relative(ROOT, file)}  ${(content.length / 1_000).toFixed(1)} kB  sha256 ${sha256}`;
}
