import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import type { ReadAt } from "./read-at.ts";

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
/** A directory of some hundred thousand files. */
const DIRECTORY_BYTES_MAX = 16 * 1024 * 1024;
const CONTENT_BYTES_MAX = 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

const inflate = promisify(inflateRaw);

interface ZipEntry {
  readonly method: number;
  readonly compressedBytes: number;
  readonly localAt: number;
}

export type ZipEntries = ReadonlyMap<string, ZipEntry>;

/**
 * The entries by name, or null. No name may occur twice, because readers differ in which counts.
 * Source: PKWARE APPNOTE 6.3.10, 4.3.7, 4.3.12, 4.3.16, without ZIP64 as uploads are below 4 GiB.
 */
export async function readZipEntries(readAt: ReadAt, sizeBytes: number): Promise<ZipEntries | null> {
  const first = await readAt(0, 4);
  if (first === null || first.readUInt32LE(0) !== LOCAL_SIGNATURE) return null;
  const directory = await readDirectory(readAt, sizeBytes);
  if (directory === null) return null;
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  while (at + ENTRY_BYTES <= directory.byteLength && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const nextAt = at + ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (nextAt > directory.byteLength) return null;
    const name = directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (entries.has(name)) return null;
    entries.set(name, {
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      localAt: directory.readUInt32LE(at + 42),
    });
    at = nextAt;
  }
  return entries;
}

async function readDirectory(readAt: ReadAt, sizeBytes: number): Promise<Buffer | null> {
  const place = await findZipDirectory(readAt, sizeBytes);
  return place !== null && place.length <= DIRECTORY_BYTES_MAX ? await readAt(place.begin, place.length) : null;
}

/** Where the list of entries is, which is near the end of the file. */
export async function findZipDirectory(
  readAt: ReadAt,
  sizeBytes: number,
): Promise<{ readonly begin: number; readonly length: number } | null> {
  const tailBytes = Math.min(sizeBytes, END_BYTES + COMMENT_BYTES_MAX);
  const tail = await readAt(sizeBytes - tailBytes, tailBytes);
  if (tail === null) return null;
  for (let at = tail.byteLength - END_BYTES; at >= 0; at -= 1) {
    const isEnd =
      tail.readUInt32LE(at) === END_SIGNATURE && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.byteLength;
    if (!isEnd) continue;
    const length = tail.readUInt32LE(at + 12);
    const begin = tail.readUInt32LE(at + 16);
    const endAt = sizeBytes - tailBytes + at;
    return begin + length <= endAt ? { begin, length } : null;
  }
  return null;
}

/** The content of a small entry; null if missing, too large, or neither stored nor deflated. */
export async function readZipEntry(readAt: ReadAt, entry: ZipEntry): Promise<Buffer | null> {
  const { method, compressedBytes, localAt } = entry;
  const local = await readAt(localAt, LOCAL_BYTES);
  if (local === null || local.readUInt32LE(0) !== LOCAL_SIGNATURE || compressedBytes > CONTENT_BYTES_MAX) return null;
  const contentAt = localAt + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  const content = await readAt(contentAt, compressedBytes);
  if (content === null || method === STORED) return content;
  if (method !== DEFLATED) return null;
  try {
    return await inflate(content, { maxOutputLength: CONTENT_BYTES_MAX });
  } catch {
    return null;
  }
}
