import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType, Move, Seat } from "@holo/rules/rules.ts";
import type { Answers } from "./answers.ts";
import type { Clock } from "./clock.ts";
import type { EndReason } from "./entry.ts";
import type { Offers } from "./offers.ts";
import type { Stake } from "./stakes.ts";

/** Specification 4. `timeout` is a game lost on time and counts as completed everywhere (rulings 11, 15). */
export const STATUSES = ["waiting", "active", "completed", "timeout", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];

export interface TableResult {
  /** null is a draw. */
  readonly winner: Seat | null;
  readonly reason: EndReason;
}

/** A move on the board and what it cost its player. */
export interface PlayedMove {
  readonly move: Move;
  readonly chargedMs: number;
  /** Both clocks after it. */
  readonly remainingMs: readonly [number, number];
}

/** Everything public about one table: the fold of its log. Server and browser compute the same. */
export interface TableState<Position> {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  /** The version of the newest entry; entries are numbered from 1 without gaps. */
  readonly version: number;
  /** The version of the newest entry that changed the board; a move has to name it. */
  readonly boardVersion: number;
  readonly status: Status;
  /** Player 1 (white, the creator) and player 2. */
  readonly players: readonly [PlayerId, PlayerId | null];
  readonly position: Position;
  /** The moves that led from the start to `position`. */
  readonly moves: readonly PlayedMove[];
  /** Pieces taken by each player in those moves. */
  readonly captures: readonly [number, number];
  /** The most plies ever on the board: a takeback reopens no threshold (ruling 17). */
  readonly pliesEver: number;
  /** Moves each player has made, those that were taken back included. */
  readonly movesMade: readonly [number, number];
  /** Takebacks that were carried out. */
  readonly takebacks: number;
  readonly offers: Offers;
  readonly clock: Clock;
  readonly result: TableResult | null;
  /** Commands carried out; a browser knows only its own player's. */
  readonly answered: Answers;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  /** The instant of the newest entry; never decreases. */
  readonly changedAt: Instant;
}

export function toOpponent(seat: Seat): Seat {
  return seat === 1 ? 2 : 1;
}

/** The seat of a player at the table, or null for anyone else. */
export function toSeat(state: Pick<TableState<unknown>, "players">, player: PlayerId): Seat | null {
  if (state.players[0] === player) return 1;
  if (state.players[1] === player) return 2;
  return null;
}

export function isOpen(status: Status): boolean {
  return status === "waiting" || status === "active";
}
