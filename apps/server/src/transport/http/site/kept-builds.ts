import { hash } from "node:crypto";
import type { Files } from "../../../platform/files/files.ts";
import type { Log } from "../../../platform/log.ts";
import type { Time } from "../../../platform/time/time.ts";

export type BuildFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface KeptBuildsDeps {
  readonly files: Files;
  readonly time: Pick<Time, "monotonicMs">;
  readonly log: Log;
}

/**
 * Earlier builds and those of other servers, in the file store: an open page goes on with the files
 * of its own build, whichever server answers it.
 */
export interface KeptBuilds {
  /** Files of builds that were not returned before, if one of them may have this name. */
  findNew(name: string): Promise<BuildFiles>;
  /** Resolves once this server's build is in the store, or a warning was logged. */
  readonly stored: Promise<void>;
}

export const ASSETS = "assets/";
/** Names with a content hash. Other files are neither kept nor read. */
const NAME = /^\w[\w.-]*-[\w-]{8}(?:\.[a-z0-9]{2,8}){1,2}$/;
const FOLDER = "pages";
/** About three weeks of daily releases; a page that is open longer reloads. A build is 1.5 MB. */
export const BUILDS_MAX = 20;
/** Of the builds that open pages asked for, which are kept in memory. */
const BYTES_MAX = 48_000_000;
/** Requests of unknown names cause no more listings than this. */
const LIST_EVERY_MS = 5_000;
const NONE: BuildFiles = new Map();

export function keepBuilds(built: BuildFiles, { files, time, log }: KeptBuildsDeps): KeptBuilds {
  const assets = listAssets(built);
  const own = pack(assets);
  const known = new Set([toKey(own)]);
  let bytes = 0;
  let listedMs = Number.NEGATIVE_INFINITY;
  let listing: Promise<BuildFiles> = Promise.resolve(NONE);
  let isListing = false;

  async function readNew(): Promise<BuildFiles> {
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const { key } of await files.list(FOLDER)) {
      if (known.has(key) || bytes > BYTES_MAX) continue;
      const content = await readAll(files, key);
      known.add(key);
      if (content === null || toKey(content) !== key) continue;
      bytes += content.byteLength;
      for (const [name, part] of unpack(content)) found.set(name, part);
    }
    return found;
  }

  async function keep(): Promise<void> {
    try {
      await store(files, own);
    } catch (err) {
      log.warn({ err }, "this build of the page could not be kept for its open pages");
    }
  }

  return {
    stored: assets.size === 0 ? Promise.resolve() : keep(),
    async findNew(name) {
      if (!NAME.test(name)) return NONE;
      if (!isListing && time.monotonicMs() - listedMs >= LIST_EVERY_MS) {
        listedMs = time.monotonicMs();
        isListing = true;
        listing = readNew()
          .catch((err) => {
            log.warn({ err }, "kept builds of the page could not be read");
            return NONE;
          })
          .finally(() => {
            isListing = false;
          });
      }
      return await listing;
    },
  };
}

/** Stores the build once and removes the oldest ones. */
async function store(files: Files, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const key = toKey(content);
  const before = await files.list(FOLDER);
  if (before.some((file) => file.key === key)) return;
  const draft = await files.openDraft();
  try {
    await draft.handle.writeFile(content);
    await draft.save(key, { sizeBytes: content.byteLength, sha256: hash("sha256", content) });
  } catch (error) {
    // Another server of the same build may have been faster.
    if (!(await files.list(FOLDER)).some((file) => file.key === key)) throw error;
  } finally {
    await draft.discard();
  }
  const old = before.toSorted((a, b) => b.storedAt - a.storedAt).slice(BUILDS_MAX);
  for (const file of old) await files.remove(file.key);
}

/** The hashed files of a build by name, without their folder. */
function listAssets(built: BuildFiles): BuildFiles {
  const named = [...built]
    .filter(([file]) => file.startsWith(ASSETS))
    .map(([file, content]) => [file.slice(ASSETS.length), content] as const);
  return new Map(named.filter(([name]) => NAME.test(name)));
}

function toKey(content: Uint8Array): string {
  return `${FOLDER}/${hash("sha256", content)}`;
}

/** A line of JSON with the names and sizes, then the contents in that order. */
function pack(assets: BuildFiles): Uint8Array<ArrayBuffer> {
  const sorted = [...assets].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = JSON.stringify(sorted.map(([name, content]) => [name, content.byteLength]));
  return new Uint8Array(Buffer.concat([Buffer.from(`${head}\n`), ...sorted.map(([, content]) => content)]));
}

/** The content is authentic: its key is its hash. */
function unpack(content: Uint8Array<ArrayBuffer>): BuildFiles {
  let at = content.indexOf(10) + 1;
  const head = JSON.parse(Buffer.from(content.subarray(0, at)).toString("utf8")) as readonly [string, number][];
  const assets = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, size] of head) {
    if (NAME.test(name)) assets.set(name, content.slice(at, at + size));
    at += size;
  }
  return assets;
}

async function readAll(files: Files, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const stream = await files.read(key);
  if (stream === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
