import { hash } from "node:crypto";
import type { Files } from "../../../platform/files/files.ts";
import type { Log } from "../../../platform/log.ts";
import type { Time } from "../../../platform/time/time.ts";
import { BUILDS_MAX, type BuildFiles, BYTES_MAX, isAssetName, listAssets } from "./earlier-builds.ts";

export interface SharedBuildsDeps {
  readonly files: Files;
  readonly time: Pick<Time, "monotonicMs">;
  readonly log: Log;
}

/**
 * The builds of all servers in the file store. During a release a page may reach a server of
 * another build, and a new machine has no earlier ones.
 */
export interface SharedBuilds {
  /** Files of builds that were not returned before, if one of them may have this name. */
  findNew(name: string): Promise<BuildFiles>;
  /** Resolves once this server's build is in the store, or a warning was logged. */
  readonly stored: Promise<void>;
}

const FOLDER = "pages";
/** Requests of unknown names cause no more listings than this. */
const LIST_EVERY_MS = 5_000;
const NONE: BuildFiles = new Map();

export function openSharedBuilds(built: BuildFiles, { files, time, log }: SharedBuildsDeps): SharedBuilds {
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

  async function share(): Promise<void> {
    try {
      await store(files, own);
    } catch (err) {
      log.warn({ err }, "this build of the page could not be shared with other servers");
    }
  }

  return {
    stored: assets.size === 0 ? Promise.resolve() : share(),
    async findNew(name) {
      if (!isAssetName(name)) return NONE;
      if (!isListing && time.monotonicMs() - listedMs >= LIST_EVERY_MS) {
        listedMs = time.monotonicMs();
        isListing = true;
        listing = readNew()
          .catch((err) => {
            log.warn({ err }, "builds of other servers could not be read");
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
    if (isAssetName(name)) assets.set(name, content.slice(at, at + size));
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
