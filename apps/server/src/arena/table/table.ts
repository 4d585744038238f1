import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/games.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import type { Delivery } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { type TableState, toSeat } from "@holo/table/state.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Cancel } from "../../platform/time/timer-wheel.ts";
import type { Answer } from "../answer.ts";
import type { EncodedRecord } from "../log/log-record.ts";

/** Somebody who is shown a table as it changes: one connection. */
export interface Watcher {
  readonly player: PlayerView | null;
  send(frame: string): void;
  /** The network's share as measured on this connection, in ms (ruling 16): the newest round trip, at most the median and 50 ms. */
  lagMs(): number;
}

/** What waits at a table's door: one command at a time is decided and committed. */
export interface QueuedCommand {
  readonly command: TableCommand;
  readonly at: Instant;
  readonly answer: (answer: Answer) => void;
  /** Who joins by it: the table learns their name with their seat. */
  readonly joiner?: PlayerView;
  /** Asked in the transaction of what the command settles: why it may not be after all, or null and what belongs to it is written. */
  readonly hook?: SettlementHook;
}

export type SettlementHook = (tx: Tx, players: TableState<unknown>["players"]) => Promise<RefusalCode | null>;

/** An entry as a table keeps it for who joins later. */
export type SendableRecord = Pick<EncodedRecord, "version" | "by" | "commandId" | "publicText">;

/** A table that this node serves. The database is the truth; this is its newest fold here, and who watches it. */
export interface Table {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  state: TableState<unknown>;
  records: SendableRecord[];
  /** The hash of the newest entry. */
  hash: string;
  players: readonly [PlayerView, PlayerView | null];
  readonly watchers: Set<Watcher>;
  /** Since when each player is away from this table; null while they are here. */
  awaySinceAt: [Instant | null, Instant | null];
  readonly queue: QueuedCommand[];
  /** A command is on its way to the database; the others wait. */
  isBusy: boolean;
  /** Called once what was written past this table's mailbox has been read, which is before its next letter. */
  readonly waiters: (() => void)[];
  /** When the position was first written to the player to move, null if they were away. */
  sentAt: Instant | null;
  /** The node's lost time, in ms, when it was. */
  stalledMsWhenSent: number;
  cancelTimer: Cancel | null;
}

export function isPresent(table: Table, seat: Seat): boolean {
  const playerId = table.state.players[seat - 1];
  for (const watcher of table.watchers) if (watcher.player?.id === playerId) return true;
  return false;
}

export function seatOf(table: Table, player: PlayerView | null): Seat | null {
  return player === null ? null : toSeat(table.state, player.id as PlayerId);
}

/** How the newest position reached the player to move, for charging their move or calling their flag. */
export function measureDelivery(table: Table, stalledMs: number): Delivery {
  const mover = table.rules.toMove(table.state.position);
  const moverId = table.state.players[mover - 1];
  let lagMs = 0;
  for (const watcher of table.watchers) {
    if (watcher.player?.id === moverId) lagMs = Math.max(lagMs, watcher.lagMs());
  }
  return { sentAt: table.sentAt, lagMs, stallMs: stalledMs - table.stalledMsWhenSent };
}
