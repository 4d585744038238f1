import { type Move, type Piece, PROMOTED, type Square } from "@holo/rules/rules.ts";
import { findLastRowStep, formatSquare } from "@holo/rules/square.ts";

/** "pawn e7 to d8, capturing a rook, promoted to queen", "castled kingside". */
export function formatMoveWords(
  pieceAt: (square: Square) => Piece | null,
  { path, captured, promotion }: Move,
): string {
  const piece = pieceAt(path[0]!);
  if (piece === null) return path.map(formatSquare).join(" to ");
  const columns = (path[1]! & 7) - (path[0]! & 7);
  if (piece.kind === "king" && Math.abs(columns) === 2) return `castled ${columns > 0 ? "kingside" : "queenside"}`;
  const victim = captured.length === 0 ? null : pieceAt(captured[0]!);
  const isPromoted = piece.kind === "pawn" && findLastRowStep(path, piece.seat) > 0;
  const taken = victim === null ? "" : `, capturing a ${victim.kind}`;
  const became = isPromoted ? `, promoted to ${PROMOTED[promotion ?? "q"]}` : "";
  return `${piece.kind} ${path.map(formatSquare).join(" to ")}${taken}${became}`;
}
