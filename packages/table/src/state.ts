import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import type { AnsweredCommands } from "./answered-commands.ts";
import type { Clock } from "./clock.ts";
import type { EndReason, Pairing } from "./log-record.ts";
import type { Offers } from "./offers.ts";
import type { PlayedMoves } from "./played-moves.ts";
import type { Stake } from "./stakes.ts";

/** Specification 4. `timeout` is a loss on time and counts as completed (rulings 11, 15). */
export const STATUSES = ["waiting", "active", "completed", "timeout", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];

export interface TableResult {
  /** Null: a draw. */
  readonly winner: Seat | null;
  readonly reason: EndReason;
}

export interface TableState<Position> {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  readonly version: number;
  /** The version of the newest record that changed the board; a move must name it. */
  readonly boardVersion: number;
  readonly status: Status;
  /** Null while no one has joined, unless by invitation or for a rematch. */
  readonly pairing: Pairing | null;
  readonly players: BySeat<PlayerId, PlayerId | null>;
  readonly position: Position;
  /** Positions at regular plies from the start on; a takeback replays the moves after one. */
  readonly checkpoints: readonly Position[];
  /** The moves from the start to `position`. */
  readonly moves: PlayedMoves;
  readonly captures: BySeat<number>;
  /** The most plies ever on the board: a takeback does not undo a threshold (ruling 17). */
  readonly pliesEver: number;
  /** Moves of each player, including moves that were taken back. */
  readonly movesMade: BySeat<number>;
  readonly takebacks: BySeat<number>;
  readonly offers: Offers;
  readonly clock: Clock;
  readonly result: TableResult | null;
  /** Completed commands; a browser knows those of its own player. */
  readonly answered: AnsweredCommands;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  /** The instant of the newest record; never decreases. */
  readonly changedAt: Instant;
}

export function toOpponent(seat: Seat): Seat {
  return seat === 1 ? 2 : 1;
}

export function findSeat(state: Pick<TableState<unknown>, "players">, player: PlayerId): Seat | null {
  if (state.players[0] === player) return 1;
  if (state.players[1] === player) return 2;
  return null;
}

/** A game by invitation that no one has joined exists only for its creator. */
export function isUnlisted({ pairing, players }: Pick<TableState<unknown>, "pairing" | "players">): boolean {
  return pairing === "invitation" && players[1] === null;
}

export function isOpen(status: Status): boolean {
  return status === "waiting" || status === "active";
}
