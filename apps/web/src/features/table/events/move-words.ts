import type { CheckersPosition } from "@holo/checkers/checkers.ts";
import type { Move } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { describeCheckersMove } from "../../../shared/board/checkers-words.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { findLastRowStep } from "../../../shared/board/geometry.ts";
import { PROMOTED } from "../../../shared/board/promotion-chooser.tsx";

/**
 * A move for a screen reader. In chess: "pawn e7 to d8, capturing a rook, promoted to queen",
 * "castled kingside".
 */
export function describeMove(rules: Rules, before: unknown, move: Move): string {
  // The rules of the game have made the position.
  return rules.game === "checkers"
    ? describeCheckersMove(before as CheckersPosition, move)
    : describeChessMove(rules, before, move);
}

function describeChessMove(rules: Rules, before: unknown, { path, captured, promotion }: Move): string {
  const piece = rules.pieceAt(before, path[0]!);
  if (piece === null) return path.map(formatSquare).join(" to ");
  const columns = (path[1]! & 7) - (path[0]! & 7);
  if (piece.kind === "king" && Math.abs(columns) === 2) return `castled ${columns > 0 ? "kingside" : "queenside"}`;
  const victim = captured.length === 0 ? null : rules.pieceAt(before, captured[0]!);
  const isPromoted = piece.kind === "pawn" && findLastRowStep(path, piece.seat) > 0;
  const taken = victim === null ? "" : `, capturing a ${victim.kind}`;
  const became = isPromoted ? `, promoted to ${PROMOTED[promotion ?? "q"]}` : "";
  return `${piece.kind} ${path.map(formatSquare).join(" to ")}${taken}${became}`;
}
