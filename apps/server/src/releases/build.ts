/** What a file says of itself that is what it should be. */
export interface Build {
  /** Null: it says none, or not in a way that can be understood. */
  readonly version: string | null;
}
