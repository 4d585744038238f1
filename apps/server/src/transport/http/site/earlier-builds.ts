import { hash } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Instant } from "@holo/kernel/instant.ts";
import { z } from "zod";
import { makeFolder } from "../../../platform/files/make-folder.ts";
import type { Log } from "../../../platform/log.ts";

export type BuildFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface KeptBuilds {
  /** A folder below DATA_DIR for this purpose only. */
  readonly folder: string;
  readonly at: Instant;
  readonly log: Log;
}

interface Kept {
  /** The last time at which its pages could be loaded. */
  readonly servedUntil: number;
  /** SHA-256 and size of each file by name. */
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

/** A page that is open longer reloads when it needs a deleted file. */
export const KEPT_MS = 30 * 24 * 60 * 60_000;
/** About three weeks of daily releases; a build is 1.5 MB and shares a fifth with the next. */
export const BUILDS_MAX = 20;
/** Total of all earlier builds, with shared files counted once. They are kept in memory. */
export const BYTES_MAX = 48_000_000;

export const ASSETS = "assets/";
/** Names with a content hash. Other files are neither kept nor read. */
const NAME = /^\w[\w.-]*-[\w-]{8}(?:\.[a-z0-9]{2,8}){1,2}$/;
const INDEX = "builds.json";
const Index = z.array(
  z.object({
    servedUntil: z.number(),
    files: z.record(z.string().regex(NAME), z.object({ sha256: z.string(), bytes: z.number() })),
  }),
);

/**
 * Stores the hashed files of the current build and returns verified ones of earlier builds, which
 * open pages still request. With an unusable folder the site runs without them.
 */
export async function keepBuild(built: BuildFiles, { folder, at, log }: KeptBuilds): Promise<BuildFiles> {
  const assets = listAssets(built);
  // A server without a page replaces no build.
  if (assets.size === 0) return new Map();
  try {
    const builds = chooseKept(toKept(assets, at), await readIndex(folder), at);
    const earlier = await readEarlier(folder, builds, assets);
    await write(folder, builds, assets).catch((err) =>
      log.warn({ err }, "this build of the page could not be saved for later releases"),
    );
    return earlier;
  } catch (err) {
    log.warn({ err }, "earlier builds of the page could not be read");
    return new Map();
  }
}

/** Whether a build's file of this name never changes. */
export function isAssetName(name: string): boolean {
  return NAME.test(name);
}

/** The hashed files of a build by name, without their folder. */
export function listAssets(built: BuildFiles): BuildFiles {
  const named = [...built].map(([file, content]) => [file.slice(ASSETS.length), content, file] as const);
  return new Map(
    named
      .filter(([name, , file]) => file.startsWith(ASSETS) && isAssetName(name))
      .map(([name, content]) => [name, content]),
  );
}

function toKept(assets: BuildFiles, servedUntil: number): Kept {
  const facts = [...assets].map(([name, content]) => [name, { sha256: toSum(content), bytes: content.byteLength }]);
  return { servedUntil, files: Object.fromEntries(facts) };
}

function chooseKept(current: Kept, before: readonly Kept[], at: Instant): readonly Kept[] {
  const [latest, ...others] = before;
  const known = latest === undefined ? [] : [{ ...latest, servedUntil: at }, ...others];
  const names = toNames(current);
  const counted = new Set(Object.keys(current.files));
  let bytes = 0;
  const kept: Kept[] = [current];
  for (const build of known) {
    if (toNames(build) === names) continue;
    for (const [name, file] of Object.entries(build.files)) {
      if (!counted.has(name)) bytes += file.bytes;
      counted.add(name);
    }
    if (kept.length > BUILDS_MAX || at - build.servedUntil > KEPT_MS || bytes > BYTES_MAX) break;
    kept.push(build);
  }
  return kept;
}

function toNames({ files }: Kept): string {
  return Object.keys(files).sort().join("\n");
}

/** Empty without a valid index. */
async function readIndex(folder: string): Promise<readonly Kept[]> {
  const content = await readPlain(path.join(folder, INDEX));
  if (content === null) return [];
  try {
    return Index.parse(JSON.parse(Buffer.from(content).toString("utf8")));
  } catch {
    // Truncated or foreign: pages of those builds reload, and nothing else is lost.
    return [];
  }
}

/** Files that the current build lacks. A file with another hash is omitted. */
async function readEarlier(folder: string, builds: readonly Kept[], assets: BuildFiles): Promise<BuildFiles> {
  const earlier = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, { sha256 }] of builds.flatMap(({ files }) => Object.entries(files))) {
    if (assets.has(name) || earlier.has(name)) continue;
    const content = await readPlain(path.join(folder, name));
    if (content !== null && toSum(content) === sha256) earlier.set(name, content);
  }
  return new Map([...earlier].map(([name, content]) => [ASSETS + name, content]));
}

/**
 * In this order, so that an unwritten index leaves the old one valid; partial files fail their
 * hash.
 */
async function write(folder: string, builds: readonly Kept[], assets: BuildFiles): Promise<void> {
  await makeFolder(folder, 0o700);
  for (const [name, content] of assets) {
    const file = path.join(folder, name);
    const there = await readPlain(file);
    if (there === null || Buffer.compare(there, content) !== 0) await replace(file, content);
  }
  const draft = path.join(folder, `${INDEX}.draft`);
  await replace(draft, Buffer.from(JSON.stringify(builds)));
  await rename(draft, path.join(folder, INDEX));
  const wanted = new Set([INDEX, ...builds.flatMap(({ files }) => Object.keys(files))]);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!entry.isDirectory() && !wanted.has(entry.name)) await rm(path.join(folder, entry.name), { force: true });
}

/** Creates a new file and does not follow a link. */
async function replace(file: string, content: Uint8Array): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, content, { flag: "wx", mode: 0o600 });
}

/** Null without such a regular file; links are not followed. */
async function readPlain(file: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return new Uint8Array(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP" || code === "EISDIR") return null;
    throw error;
  }
}

function toSum(content: Uint8Array): string {
  return hash("sha256", content, "base64url");
}
