import type { Result } from "@holo/kernel/result.ts";
import type { Move } from "./rules.ts";

export type RecordResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game as its record tells it: PGN for chess, PDN for checkers. */
export interface GameRecord {
  /** Tag pairs in order, such as Event, Date, White, Black, FEN. */
  readonly tags: ReadonlyMap<string, string>;
  readonly moves: readonly Move[];
  readonly result: RecordResult;
}

export interface RecordNotation {
  formatRecord(record: GameRecord): string;
  /** Reads one game, its usual variations of form included (comments, side lines, move numbers, line ends). */
  parseRecord(text: string): Result<GameRecord, "bad_record">;
}
