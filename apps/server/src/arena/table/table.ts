import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/arena/games.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { findSeat, type TableState } from "@holo/table/state.ts";
import type { LogScope } from "../../platform/log-scope.ts";
import type { CommandTrace } from "../../platform/tracing/tracing.ts";
import type { Answer } from "../answer.ts";
import type { ChatMessage } from "../chat/chat-store.ts";
import type { SendableRecord } from "../log/log-record.ts";
import type { SettlementChecks } from "../log/settlement.ts";

export interface Watcher {
  readonly player: PlayerView | null;
  send(frame: string): void;
  /** The newest round trip of this connection, at most the median and 50 ms (ruling 16). */
  lagMs(): number;
}

export interface WatchCost {
  readonly recordsSent: number;
  /** Records that were read because the table was not in memory. */
  readonly recordsRead: number;
  /** Known once the chat has been read; absent if it was not asked for. */
  readonly messagesSent?: Promise<number>;
}

export interface Arrival {
  readonly lostMs: number;
  /** Network time of the command's connection (ruling 39). */
  readonly lagMs: number;
}

/** For a command that charges no clock. */
export const UNMEASURED: Arrival = { lostMs: 0, lagMs: 0 };

export interface QueuedCommand extends Arrival, SettlementChecks {
  /** Deciding replaces a `delivery` in it by the measured one. */
  readonly command: TableCommand;
  readonly at: Instant;
  readonly answer: (answer: Answer) => void;
  /** The player of a `join`, by name: the record carries only the id. */
  readonly joiner?: PlayerView;
  /** Its player no longer expects it: refused as `too_late` unless it was carried out before. */
  readonly isLate?: boolean | undefined;
  readonly trace?: CommandTrace | null;
  readonly logScope?: LogScope | null | undefined;
}

/** A record that another server wrote. */
export interface RemoteRecord {
  readonly version: number;
  readonly hashBefore: string;
  readonly text: string;
}

/** What a server sends to those with watchers of the table. */
export type TableMessage =
  | ({ readonly type: "record"; readonly gameId: GameId } & RemoteRecord)
  | { readonly type: "chat"; readonly gameId: GameId; readonly message: ChatMessage };

/** A game in memory, read-only. Only its `TableActor` changes it. */
export interface Table {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly state: TableState<unknown>;
  readonly records: readonly SendableRecord[];
  readonly players: BySeat<PlayerView, PlayerView | null>;
  readonly watchers: ReadonlySet<Watcher>;
  /** When each player left the table; null while present. */
  readonly awaySinceAt: BySeat<Instant | null>;
  isPresent(seat: Seat): boolean;
}

export function seatOf(table: Pick<Table, "state">, player: PlayerView | null): Seat | null {
  return player === null ? null : findSeat(table.state, player.id);
}
