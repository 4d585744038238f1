import type { Result } from "@holo/kernel/result.ts";
import type { Move } from "./rules.ts";

export type RecordResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game as its record tells it: PGN for chess, PDN for checkers. */
export interface GameRecord {
  /** Tag pairs in order, such as Event, Date, White, Black, FEN. */
  readonly tags: ReadonlyMap<string, string>;
  readonly moves: readonly Move[];
  readonly result: RecordResult;
  /**
   * The mover's time left after each move, as long as `moves`; null where the record does not tell it. Absent in a record without
   * clocks.
   */
  readonly remainingMs?: readonly (number | null)[];
}

export interface RecordNotation {
  /** Clocks are written as `[%clk h:mm:ss]`, in PGN with tenths where there are any; never more than was left. */
  formatRecord(record: GameRecord): string;
  /**
   * Reads the first game of a text, its usual variations of form included (comments, clocks, side lines, move numbers, line ends). What
   * follows that game is not looked at.
   */
  parseRecord(text: string): Result<GameRecord, "bad_record">;
}
