import type { Square } from "@holo/rules/rules.ts";
import { isAttacked, isAttackedAfter } from "./attack.ts";
import { type Board, NOWHERE, otherSide, PAWN, pawnStep, type Side, WHITE } from "./board.ts";

export const WHITE_SHORT = 1;
export const WHITE_LONG = 2;
export const BLACK_SHORT = 4;
export const BLACK_LONG = 8;

/** An immutable value; whoever needs something of it asks `chess`, nobody outside this package looks inside. */
export interface ChessPosition {
  readonly board: Board;
  readonly turn: Side;
  /** Rights as bits; a right that stands here has its king and its rook at home. */
  readonly castling: number;
  /** The square a pawn has just passed over, only where taking it there is a legal move (FIDE 9.2.3 counts no other). */
  readonly enPassant: Square;
  /** Half-moves since the last capture or pawn move. */
  readonly halfMoves: number;
  /** 1 at the start, one more after each move of black. */
  readonly fullMoves: number;
  readonly whiteKing: Square;
  readonly blackKing: Square;
  readonly isCheck: boolean;
  /** How often this position has stood on the board since the last move that cannot be undone: 1 or more. */
  readonly occurrences: number;
  /** The position before, kept only while it could still come back. */
  readonly previous: ChessPosition | null;
}

export interface Standing {
  readonly board: Board;
  readonly turn: Side;
  readonly castling: number;
  /** The square a pawn has just passed over, whether or not it can be taken there. */
  readonly passed: Square;
  readonly halfMoves: number;
  readonly fullMoves: number;
  readonly whiteKing: Square;
  readonly blackKing: Square;
}

export function kingOf(position: ChessPosition, side: Side): Square {
  return side === WHITE ? position.whiteKing : position.blackKing;
}

/** Completes what stands on the board with what follows from it. */
export function createPosition(standing: Standing, previous: ChessPosition | null, moved: Square): ChessPosition {
  const { board, turn, castling, halfMoves, fullMoves, whiteKing, blackKing } = standing;
  const king = turn === WHITE ? whiteKing : blackKing;
  const enPassant = standing.passed === NOWHERE ? NOWHERE : takeableSquare(board, turn, king, standing.passed);
  return {
    board,
    turn,
    castling,
    enPassant,
    halfMoves,
    fullMoves,
    whiteKing,
    blackKing,
    isCheck: isAttacked(board, king, otherSide(turn)),
    occurrences: previous === null ? 1 : countOccurrences(board, enPassant, previous, moved),
    previous,
  };
}

/** The passed square when a pawn of the side to move can take there without leaving its king in check, else NOWHERE. */
function takeableSquare(board: Board, turn: Side, king: Square, passed: Square): Square {
  const enemy = otherSide(turn);
  const target = passed - pawnStep(turn);
  for (const offset of [-1, 1]) {
    const from = target + offset;
    if (from >> 3 !== target >> 3 || board[from] !== (PAWN | turn)) continue;
    if (!isAttackedAfter(board, king, enemy, from, passed, target)) return passed;
  }
  return NOWHERE;
}

/**
 * Counts by comparing whole positions, no hashes: a game's money hangs on it. Castling rights need no look, since `previous` goes no
 * further back than the last change of them. The square that was moved to differs in nearly all earlier positions, so it is asked first.
 */
function countOccurrences(board: Board, enPassant: Square, previous: ChessPosition, moved: Square): number {
  let earlier = previous.previous;
  while (earlier !== null) {
    if (earlier.board[moved] === board[moved] && earlier.enPassant === enPassant && isSameBoard(earlier.board, board)) {
      return earlier.occurrences + 1;
    }
    earlier = earlier.previous === null ? null : earlier.previous.previous;
  }
  return 1;
}

function isSameBoard(a: Board, b: Board): boolean {
  for (let square = 0; square < 64; square++) {
    if (a[square] !== b[square]) return false;
  }
  return true;
}
