import { assertNever } from "@holo/kernel/assert.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameHistory, GameResult } from "@holo/rules/pgn-pdn.ts";
import type { TableResult, TableState } from "./state.ts";

export interface HistoryNames {
  readonly site: string;
  /** User names; null for an open seat. */
  readonly players: BySeat<string, string | null>;
}

export type HistoryTable = Pick<
  TableState<unknown>,
  "status" | "moves" | "result" | "limitMs" | "createdAt" | "startedAt"
>;

/**
 * The table, finished or not, as game history for export, without moves that were taken back. The
 * date is that of the first turn, in UTC.
 */
export function toGameHistory(table: HistoryTable, names: HistoryNames): GameHistory {
  const result = toGameResult(table.result);
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
    // White always moves first: every game begins from the start position.
    remainingMs: table.moves.map(({ remainingMs }, ply) => remainingMs[ply % 2 === 0 ? 0 : 1]),
  };
}

function toGameResult(result: TableResult | null): GameResult {
  if (result === null) return "*";
  if (result.winner === null) return "1/2-1/2";
  return result.winner === 1 ? "1-0" : "0-1";
}

/** In the terms of the PGN standard (9.8.1), which PDN shares. */
function toTermination({ status, result }: HistoryTable): string {
  switch (status) {
    case "waiting":
    case "active":
      return "unterminated";
    case "cancelled":
      return "abandoned";
    case "timeout":
      return "time forfeit";
    case "completed":
      if (result?.reason === "too_long") return "adjudication";
      return result?.reason === "time_without_material" ? "time forfeit" : "normal";
    default:
      return assertNever(status);
  }
}

function formatDate(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll("-", ".");
}
