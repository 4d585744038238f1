import { applyMove } from "./apply-move.ts";
import { BLACK, type Board, EMPTY, KING, kindOf, PAWN, pawnStep, type Side, WHITE } from "./board.ts";
import { hasMatingMaterial } from "./material.ts";
import { MOVES_MAX, writeMoves } from "./moves.ts";
import type { ChessPosition } from "./position.ts";

/** Enough for forced lines. An open position exceeds it after about a millisecond. */
const OPEN_MAX = 200;
/** Kings behind a closed wall of pawns: at most 32 squares each, with either side to move. */
const LOCKED_MAX = 2 * 32 * 32;

/**
 * Whether the side could still mate by legal moves (FIDE 6.9). Where material does not decide,
 * every reachable position is searched; above a limit the answer is true. Draws end no series.
 */
export function canReachMate(position: ChessPosition, side: Side): boolean {
  if (!hasMatingMaterial(position.board, side)) return false;
  const limit = isLocked(position.board) ? LOCKED_MAX : OPEN_MAX;
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
      if (seen.has(key) || !hasMatingMaterial(next.board, side)) continue;
      if (seen.size >= limit) return true;
      seen.add(key);
      reached.push(next);
    }
  }
  return false;
}

/** Whether there are only kings and pawns, and each pawn is directly blocked by another one. */
function isLocked(board: Board): boolean {
  for (let square = 0; square < 64; square++) {
    const piece = board[square]!;
    const kind = kindOf(piece);
    if (kind === EMPTY || kind === KING) continue;
    const step = pawnStep((piece & BLACK) === WHITE ? WHITE : BLACK);
    if (kind !== PAWN || kindOf(board[square + step]!) !== PAWN) return false;
  }
  return true;
}

function keyOf(position: ChessPosition): string {
  const { board, turn, castling, enPassant } = position;
  return String.fromCharCode(...Array.from(board), turn, castling, enPassant + 1);
}
