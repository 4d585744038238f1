import type { FileHandle } from "node:fs/promises";
import type { Files } from "../../platform/files/files.ts";

/** Reads exactly `length` bytes; null if the file is shorter. */
export type ReadAt = (position: number, length: number) => Promise<Buffer | null>;

export function readDraft(file: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.alloc(length);
    let read = 0;
    while (read < length) {
      const { bytesRead } = await file.read(buffer, read, length - read, position + read);
      if (bytesRead === 0) return null;
      read += bytesRead;
    }
    return buffer;
  };
}

/** Throws if the file is lost. */
export function readStored(files: Files, key: string): ReadAt {
  return async (position, length) => {
    if (length === 0) return Buffer.alloc(0);
    const content = await files.read(key, { first: position, last: position + length - 1 });
    if (content === null) throw new Error(`the file ${key} is lost`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const buffer = Buffer.concat(chunks);
    return buffer.byteLength === length ? buffer : null;
  };
}
