import type { FileHandle } from "node:fs/promises";

export interface FileFacts {
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** A local file that is still being written. It is never served and is removed with its process. */
export interface Draft {
  readonly handle: FileHandle;
  /** Stores the whole content under this key; durable once resolved. A key is written once. */
  save(key: string, facts: FileFacts): Promise<void>;
  discard(): Promise<void>;
}

/** An inclusive range, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredFile {
  readonly key: string;
  /** ms since 1970, by the clock of the store. */
  readonly storedAt: number;
}

/** File storage. Keys consist of letters, digits, `-`, `.`, and `/` between parts. */
export interface Files {
  openDraft(): Promise<Draft>;
  /**
   * Streams the content, or an inclusive range of it, with back-pressure; null if there is no such
   * file.
   */
  read(key: string, range?: ByteRange): Promise<AsyncGenerator<Uint8Array, void> | null>;
  /** Does nothing if there is no such file. */
  remove(key: string): Promise<void>;
  /** All files whose keys begin with `<folder>/`. */
  list(folder: string): Promise<readonly StoredFile[]>;
  sweepDrafts(): Promise<void>;
}

export type FilesLocation =
  | { readonly type: "disk"; readonly folder: string }
  | {
      readonly type: "s3";
      /** Without the bucket and without a trailing slash. */
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      /** Prepended to every key; empty, or with a trailing slash. */
      readonly prefix: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly draftsFolder: string;
    };

const KEY = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/** Rejects keys that could escape the storage folder. */
export function isFileKey(key: string): boolean {
  return key.length <= 200 && KEY.test(key) && !key.includes("..");
}
