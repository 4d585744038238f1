import type { Result } from "@holo/kernel/result.ts";
import type { Move } from "./rules.ts";

export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game for export: PGN for chess, PDN for checkers. */
export interface GameHistory {
  /** Tag pairs in order, such as Event, Date, White, Black, FEN. */
  readonly tags: ReadonlyMap<string, string>;
  readonly moves: readonly Move[];
  readonly result: GameResult;
  /** The mover's time left after each move, as long as `moves`; null where unknown. */
  readonly remainingMs?: readonly (number | null)[];
}

export interface GameNotation {
  /** Writes clocks as `[%clk h:mm:ss]`, in PGN with tenths, rounded down. */
  formatGame(record: GameHistory): string;
  /**
   * Reads the first game of a text with the usual variations of form (comments, clocks, side lines,
   * move numbers, line ends). Ignores everything after that game.
   */
  parseGame(text: string): Result<GameHistory, "bad_record">;
}
