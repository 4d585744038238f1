import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { type TableState, toSeat } from "@holo/table/state.ts";
import type { Answer } from "../answer.ts";
import type { SendableRecord } from "../log/log-record.ts";
import type { SettlementChecks } from "../log/settlement.ts";

/** One connection that watches a table. */
export interface Watcher {
  readonly player: PlayerView | null;
  send(frame: string): void;
  /**
   * Network time of this connection: the newest round trip, at most the median and 50 ms (ruling
   * 16).
   */
  lagMs(): number;
}

/** What a watch cost, for limits. */
export interface WatchCost {
  readonly recordsSent: number;
  /** Records that were read because the table was not in memory. */
  readonly recordsRead: number;
}

/** Measured when a command arrived. */
export interface Arrival {
  /** A reading of the outage meter. */
  readonly lostMs: number;
  /** Network time of the connection that carried the command (ruling 39). */
  readonly lagMs: number;
}

/** Of a command that charges no clock. */
export const UNMEASURED: Arrival = { lostMs: 0, lagMs: 0 };

export interface QueuedCommand extends Arrival, SettlementChecks {
  /** A `delivery` in it is replaced by the measured one when the command is decided. */
  readonly command: TableCommand;
  readonly at: Instant;
  readonly answer: (answer: Answer) => void;
  /** The player of a `join`, by name: the record carries only the id. */
  readonly joiner?: PlayerView;
}

/** A game in memory, read-only. Only its `TableActor` changes it. */
export interface Table {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly state: TableState<unknown>;
  readonly records: readonly SendableRecord[];
  readonly players: readonly [PlayerView, PlayerView | null];
  readonly watchers: ReadonlySet<Watcher>;
  /** When each player left the table; null while present. */
  readonly awaySinceAt: readonly [Instant | null, Instant | null];
  isPresent(seat: Seat): boolean;
}

export function seatOf(table: Pick<Table, "state">, player: PlayerView | null): Seat | null {
  return player === null ? null : toSeat(table.state, player.id);
}
