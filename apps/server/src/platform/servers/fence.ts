/** What every write of games names. */
export interface Fence {
  readonly serverId: string;
  /** `extract(epoch from pg_postmaster_start_time())::text`. Another may lack newest records. */
  readonly databaseStart: string;
}

/** The server has ended, or PostgreSQL was started again: nothing was written. */
export class Fenced extends Error {
  override readonly name = "Fenced";
  constructor({ serverId }: Fence) {
    super(`server ${serverId} may not write any more`);
  }
}

/** The own server, as writers of games see it. */
export interface OwnFence {
  fence(): Fence;
  /** A write was refused. */
  noteFenced(): void;
}
