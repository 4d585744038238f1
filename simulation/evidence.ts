import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { Recording } from "./recording.ts";

/** What clients were sent, and what the database says afterwards. */
export interface Evidence {
  readonly clients: readonly Recording[];
  readonly games: ReadonlyMap<GameId, StoredGame>;
  /** Every posting to a player's wallet, oldest first. */
  readonly wallets: ReadonlyMap<PlayerId, readonly StoredBalance[]>;
  readonly outages: readonly StoredOutage[];
  /** When faults were injected and pushes may have been late. */
  readonly disturbances: readonly Span[];
  /** When the server was down, by the simulation's own clock. */
  readonly downtimes: readonly Span[];
  /** From when on the clock of tables was ahead; null if it never was. */
  readonly tablesAheadFromMs: number | null;
}

export interface StoredGame {
  readonly log: readonly LogRecord[];
  readonly chat: readonly StoredMessage[];
}

export interface StoredMessage {
  readonly number: number;
  readonly commandId: string;
  readonly text: string;
}

/** In micro-coins. */
export interface StoredBalance {
  readonly balance: bigint;
  readonly atMs: number;
}

export interface StoredOutage {
  readonly fromAt: number;
  readonly toAt: number;
  readonly cause: "restart" | "database" | "stall";
}

/** ms since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}
