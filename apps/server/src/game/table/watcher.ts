import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { findSeat, type TableState } from "@holo/table/state.ts";

/** A connection at a table; with several servers also one of another server. */
export interface Watcher {
  readonly player: PlayerView | null;
  /** A connection of another server, which gets its frames together with others there. */
  readonly isHosted?: true;
  /** `startsTurn`: from now on the player to move can think. */
  send(frame: string, startsTurn?: boolean): void;
  /** The newest round trip of this connection, at most the median and 50 ms (ruling 16). */
  lagMs(): number;
  /** Asks the page to connect again: its table is out of reach here. */
  reconnect(): void;
}

export interface WatchRequest {
  readonly gameId: GameId;
  /** The newest version that the page has. */
  readonly since: number;
  /** The newest chat message that the page has; absent: it wants none. */
  readonly chatSince?: number | undefined;
  /** The watcher has the link of a game by invitation. */
  readonly isInvited: boolean;
}

export interface WatchCost {
  readonly recordsSent: number;
  /** Records that were read because the table was not in memory. */
  readonly recordsRead: number;
  /** Known once the chat has been read; absent if it was not asked for. */
  readonly messagesSent?: Promise<number>;
}

export function seatOf({ state }: { readonly state: TableState<unknown> }, player: PlayerView | null): Seat | null {
  return player === null ? null : findSeat(state, player.id);
}
