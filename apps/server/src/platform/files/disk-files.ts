import { constants } from "node:fs";
import { link, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { assert } from "@holo/kernel/assert.ts";
import { openDrafts } from "./drafts.ts";
import { type ByteRange, type Files, isFileKey } from "./files.ts";
import { makeFolder } from "./make-folder.ts";

const CHUNK_BYTES = 64 * 1024;

/**
 * Files in a folder. A file appears whole, as a hard link to a draft that is already synced; an
 * interrupted write leaves only a draft.
 */
export function openDiskFiles(folder: string): Files {
  const drafts = openDrafts(path.join(folder, "drafts"));
  const toPath = (key: string): string => {
    assert(isFileKey(key), `${key} is no key of a file`);
    return path.join(folder, "kept", key);
  };

  return {
    async openDraft() {
      const draft = await drafts.open();
      return {
        handle: draft.handle,
        async save(key) {
          const file = toPath(key);
          await makeFolder(path.dirname(file), 0o700);
          await draft.handle.sync();
          await link(draft.path, file);
          await syncFolder(path.dirname(file));
        },
        discard: draft.discard,
      };
    },

    async read(key, range) {
      const file = toPath(key);
      return (await isThere(file)) ? readChunks(file, range) : null;
    },

    async remove(key) {
      await rm(toPath(key), { force: true });
    },

    async list(name) {
      const names = await readdir(toPath(name)).catch(emptyIfMissing);
      const keys = names.map((file) => `${name}/${file}`).filter(isFileKey);
      return await Promise.all(
        keys.map(async (key) => ({ key, storedAt: Math.floor((await stat(toPath(key))).mtimeMs) })),
      );
    },

    sweepDrafts: drafts.sweep,
  };
}

/** Opens the file when the first chunk is requested, so that an unread response holds no handle. */
async function* readChunks(file: string, range?: ByteRange): AsyncGenerator<Uint8Array, void> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    let position = range?.first ?? 0;
    const end = range === undefined ? Number.POSITIVE_INFINITY : range.last + 1;
    while (position < end) {
      const length = Math.min(CHUNK_BYTES, end - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** A directory entry is durable only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
