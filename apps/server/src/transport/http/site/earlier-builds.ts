import { hash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Instant } from "@holo/kernel/instant.ts";
import { z } from "zod";
import type { Log } from "../../../platform/log.ts";

/** The content of a build's files by their paths below its folder, with slashes. */
export type BuildFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface KeptBuilds {
  /** Below DATA_DIR, and nobody else's. */
  readonly folder: string;
  readonly at: Instant;
  readonly log: Log;
}

interface Kept {
  /** Until when pages of it can have been loaded. */
  readonly servedUntil: number;
  /** By name, the SHA-256 and the bytes of each file. */
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

/** A page that is open for longer loads itself anew when it needs what is gone. */
export const KEPT_MS = 30 * 24 * 60 * 60_000;
/** Some three weeks of a release a day. A build is 1.5 MB, of which the next one shares a fifth. */
export const BUILDS_MAX = 20;
/** Of all earlier builds together, what they share with one another counted once: they are held in memory, as the page is. */
export const BYTES_MAX = 48_000_000;

const ASSETS = "assets/";
/** As the build names what it names by its content; nothing else is kept, and no other file of the folder is ever read. */
const NAME = /^\w[\w.-]*-[\w-]{8}(?:\.[a-z0-9]{2,8}){1,2}$/;
const INDEX = "builds.json";
const Index = z.array(
  z.object({
    servedUntil: z.number(),
    files: z.record(z.string().regex(NAME), z.object({ sha256: z.string(), bytes: z.number() })),
  }),
);

/**
 * Keeps the hashed files of the build that is served from now on, and returns those of the builds that were served before it, as far as they are
 * kept: a page that was loaded before a release goes on asking for its own parts. Each file is one that was served under its name, by its SHA-256. Where the
 * folder can be neither read nor written the site goes without, and the log says so.
 */
export async function keepBuild(built: BuildFiles, { folder, at, log }: KeptBuilds): Promise<BuildFiles> {
  const assets = listAssets(built);
  // The API alone is no build of the page, and takes no other's place.
  if (assets.size === 0) return new Map();
  try {
    const builds = chooseKept(toKept(assets, at), await readIndex(folder), at);
    const earlier = await readEarlier(folder, builds, assets);
    await write(folder, builds, assets).catch((err) => log.warn({ err }, "this build of the page could not be kept"));
    return earlier;
  } catch (err) {
    log.warn({ err }, "what is kept of earlier builds of the page could not be read");
    return new Map();
  }
}

/** By their names without the folder. */
function listAssets(built: BuildFiles): BuildFiles {
  const named = [...built].map(([file, content]) => [file.slice(ASSETS.length), content, file] as const);
  return new Map(
    named
      .filter(([name, , file]) => file.startsWith(ASSETS) && NAME.test(name))
      .map(([name, content]) => [name, content]),
  );
}

function toKept(assets: BuildFiles, servedUntil: number): Kept {
  const facts = [...assets].map(([name, content]) => [name, { sha256: toSum(content), bytes: content.byteLength }]);
  return { servedUntil, files: Object.fromEntries(facts) };
}

/** The builds to be kept, the one that is served first, then as they were served, the latest first. */
function chooseKept(current: Kept, before: readonly Kept[], at: Instant): readonly Kept[] {
  const [latest, ...others] = before;
  // until just now, however long that was
  const known = latest === undefined ? [] : [{ ...latest, servedUntil: at }, ...others];
  const names = toNames(current);
  const counted = new Set(Object.keys(current.files));
  let bytes = 0;
  const kept: Kept[] = [current];
  for (const build of known) {
    // served before, and again now
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

/** Nothing where nothing is kept, or where what is written there is not ours: then it begins anew. */
async function readIndex(folder: string): Promise<readonly Kept[]> {
  const content = await readPlain(path.join(folder, INDEX));
  if (content === null) return [];
  try {
    return Index.parse(JSON.parse(Buffer.from(content).toString("utf8")));
  } catch {
    // Cut off, or somebody else's: pages of those builds load themselves anew, which is all that is lost.
    return [];
  }
}

/** What the build that is served has not itself. A file that is not the one that was kept is left out. */
async function readEarlier(folder: string, builds: readonly Kept[], assets: BuildFiles): Promise<BuildFiles> {
  const earlier = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, { sha256 }] of builds.flatMap(({ files }) => Object.entries(files))) {
    if (assets.has(name) || earlier.has(name)) continue;
    const content = await readPlain(path.join(folder, name));
    if (content !== null && toSum(content) === sha256) earlier.set(name, content);
  }
  return new Map([...earlier].map(([name, content]) => [ASSETS + name, content]));
}

/** In this order: an index that was not written leaves the one before it true, and what is written in part is told by its sum. */
async function write(folder: string, builds: readonly Kept[], assets: BuildFiles): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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

/** A file of its own, whatever stands there under its name: a link is not followed. */
async function replace(file: string, content: Uint8Array): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, content, { flag: "wx", mode: 0o600 });
}

/** Null where there is no such file; what a link leads to is none of ours. */
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
