export interface Build {
  /** Null: none, or not readable. */
  readonly version: string | null;
}
