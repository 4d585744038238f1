import type { FileHandle } from "node:fs/promises";

/** What is known of a file before it is kept. */
export interface FileFacts {
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** A file on this machine that is still being written. Nobody is ever served from it, and it does not outlive its process for long. */
export interface Draft {
  /** For writing and reading. */
  readonly handle: FileHandle;
  /** Makes the whole content the file of this key, on disk or at the store for good when this resolves. A key is kept once. */
  keep(key: string, facts: FileFacts): Promise<void>;
  /** Leaves nothing behind. Does nothing to what was kept. */
  discard(): Promise<void>;
}

/** Bytes from the first to the last, both counted from 0 and both meant. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface KeptFile {
  readonly key: string;
  /** ms since 1970, by the clock of where it is kept. */
  readonly keptAt: number;
}

/** Where files are kept. Keys are of our own making: letters, digits, `-`, `.` and `/` between parts. */
export interface Files {
  openDraft(): Promise<Draft>;
  /**
   * The content, read only as fast as it is taken; null where there is no such file.
   *
   * @param range within the file; left out, all of it
   */
  read(key: string, range?: ByteRange): Promise<AsyncGenerator<Uint8Array, void> | null>;
  /** Does nothing where there is no such file. */
  remove(key: string): Promise<void>;
  /** All whose keys begin with `<folder>/`. */
  list(folder: string): Promise<readonly KeptFile[]>;
  /** Removes the drafts of processes that are gone. */
  sweepDrafts(): Promise<void>;
}

/** Where the configuration says that files are kept. */
export type FilesPlace =
  | { readonly type: "disk"; readonly folder: string }
  | {
      readonly type: "s3";
      /** Of the service, without the bucket and without a slash at its end. */
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      /** Before every key; empty, or with a slash at its end. */
      readonly prefix: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      /** For drafts, on this machine. */
      readonly draftsFolder: string;
    };

const KEY = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;

/** Holds a key against its form, so that none ever leads anywhere else. */
export function isFileKey(key: string): boolean {
  return key.length <= 200 && KEY.test(key) && !key.includes("..");
}
