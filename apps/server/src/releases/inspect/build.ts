export interface Build {
  /** Null: none, or not readable. */
  readonly version: string | null;
  /** SHA-256 digests of an Android app's signing certificates, AB:CD:.. */
  readonly certificates?: readonly string[];
}
