/** What a valid file states about itself. */
export interface Build {
  /** Null: none, or not readable. */
  readonly version: string | null;
}
