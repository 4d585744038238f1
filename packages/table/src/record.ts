import { assertNever } from "@holo/kernel/assert.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { GameRecord, RecordResult } from "@holo/rules/notation.ts";
import type { TableResult, TableState } from "./state.ts";

/** What a record tells that the table does not know. */
export interface RecordNames {
  /** Where the game is to be found: its address. */
  readonly site: string;
  /** User names; null where nobody has joined yet. */
  readonly players: readonly [string, string | null];
}

export type RecordedTable = Pick<
  TableState<unknown>,
  "status" | "moves" | "result" | "limitMs" | "createdAt" | "startedAt"
>;

/**
 * The table as a game record, to be written by the notation of its game: a finished game, or one that goes on. Moves that were taken back
 * are not among its moves. The date is that of the first turn, in UTC.
 */
export function toRecord(table: RecordedTable, names: RecordNames): GameRecord {
  const result = toRecordResult(table.result);
  const [white, black] = names.players;
  return {
    tags: new Map([
      ["Event", "Holo Arena"],
      ["Site", names.site],
      ["Date", formatDate(table.startedAt ?? table.createdAt)],
      ["Round", "-"],
      ["White", white],
      ["Black", black ?? "?"],
      ["Result", result],
      ["Termination", toTermination(table)],
      ["TimeControl", String(Math.floor(table.limitMs / SECOND_MS))],
    ]),
    moves: table.moves.map(({ move }) => move),
    result,
    // White moves first, always: no game of ours begins from another position.
    remainingMs: table.moves.map(({ remainingMs }, ply) => remainingMs[ply % 2 === 0 ? 0 : 1]),
  };
}

function toRecordResult(result: TableResult | null): RecordResult {
  if (result === null) return "*";
  if (result.winner === null) return "1/2-1/2";
  return result.winner === 1 ? "1-0" : "0-1";
}

/** How it came to its end, in the words of the PGN standard (9.8.1), which PDN takes over. */
function toTermination({ status, result }: RecordedTable): string {
  switch (status) {
    case "waiting":
    case "active":
      return "unterminated";
    case "cancelled":
      return "abandoned";
    case "timeout":
      return "time forfeit";
    case "completed":
      return result?.reason === "time_without_material" ? "time forfeit" : "normal";
    default:
      return assertNever(status);
  }
}

/** `2026.07.31`. A calendar is asked here, never a clock. */
function formatDate(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll("-", ".");
}
