import type { Move } from "@holo/rules/rules.ts";

/** 0 moves at random; each of the others beats the one below in three games of four. */
export const LEVELS = [0, 1, 2, 3, 4, 5] as const;
export type Level = (typeof LEVELS)[number];

export interface Limits {
  /** Positions to look at: the same number gives the same answer on every machine. */
  readonly nodes: number;
  /** Plies to look ahead, forced moves apart. */
  readonly depth?: number;
  /** A move that is not to be considered, so that the next best is found; another must be legal. */
  readonly without?: Move;
}

export interface Analysis {
  /** The best move; null if the rules have ended the game. */
  readonly move: Move | null;
  /**
   * In hundredths of a man or pawn, for the side to move. A win forced in n plies is WIN - n, a
   * loss n - WIN.
   */
  readonly score: number;
  /** The best play of both sides, beginning with `move`. */
  readonly line: readonly Move[];
  readonly depth: number;
  readonly nodes: number;
}

/** Plays one game. A position carries its history, so repetitions count. */
export interface Engine<Position> {
  analyse(position: Position, limits: Limits): Analysis;
  /** The game must not be over. The same seed gives the same move. */
  chooseMove(position: Position, level: Level, seed: number): Move;
}
