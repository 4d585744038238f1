import type { FileHandle } from "node:fs/promises";

/** Reads exactly `length` bytes; null if the file is shorter. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) return null;
    read += bytesRead;
  }
  return buffer;
}
