/** One row for each boot of a server process; its youngest `last_seen_at` says until when the arena was served. */
export interface NodesTable {
  readonly boot_id: string;
  readonly node: string;
  readonly started_at: Date;
  readonly last_seen_at: Date;
}
