import { applyMove } from "./apply-move.ts";
import type { Side } from "./board.ts";
import { mayEverMate } from "./mate-reach.ts";
import { hasMatingMaterial } from "./material.ts";
import { MOVES_MAX, writeMoves } from "./moves.ts";
import type { ChessPosition } from "./position.ts";

/** Enough for forced lines. */
const POSITIONS_MAX = 200;

/**
 * Whether the side could still mate by legal moves (FIDE 6.9). False is proved: by material, by
 * what no piece can reach, or by a search of all lines. In doubt true. Draws end no series.
 */
export function canReachMate(position: ChessPosition, side: Side): boolean {
  if (isHopeless(position, side)) return false;
  const moves = new Uint16Array(MOVES_MAX);
  const seen = new Set([keyOf(position)]);
  const reached = [position];
  // The list grows while it is walked.
  for (const current of reached) {
    const count = writeMoves(current, moves);
    if (count === 0 && current.isCheck && current.turn !== side) return true;
    for (let i = 0; i < count; i++) {
      const next = applyMove(current, moves[i]!);
      const key = keyOf(next);
      // Only a capture or a pawn's move can close a position.
      if (seen.has(key) || (next.halfMoves === 0 && isHopeless(next, side))) continue;
      if (seen.size >= POSITIONS_MAX) return true;
      seen.add(key);
      reached.push(next);
    }
  }
  return false;
}

function isHopeless(position: ChessPosition, side: Side): boolean {
  return !hasMatingMaterial(position.board, side) || !mayEverMate(position, side);
}

function keyOf(position: ChessPosition): string {
  const { board, turn, castling, enPassant } = position;
  return String.fromCharCode(...Array.from(board), turn, castling, enPassant + 1);
}
