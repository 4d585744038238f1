import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import type { Move } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { findLastRowStep } from "./geometry.ts";

/** A move for a screen reader: "d6 to f8 to h6, capturing 2, crowned". */
export function describeCheckersMove(before: CheckersPosition, { path, captured }: Move): string {
  const piece = checkers.pieceAt(before, path[0]!);
  const isCrowned = piece?.kind === "man" && findLastRowStep(path, piece.seat) > 0;
  const taken = captured.length === 0 ? "" : `, capturing ${captured.length === 1 ? "one" : captured.length}`;
  return `${path.map(formatSquare).join(" to ")}${taken}${isCrowned ? ", crowned" : ""}`;
}
