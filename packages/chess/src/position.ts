import type { Square } from "@holo/rules/rules.ts";
import { isAttacked, isAttackedAfter } from "./attack.ts";
import { type Board, NOWHERE, otherSide, PAWN, pawnStep, type Side, WHITE } from "./board.ts";

export const WHITE_SHORT = 1;
export const WHITE_LONG = 2;
export const BLACK_SHORT = 4;
export const BLACK_LONG = 8;

/** Immutable. Code outside this package uses `chess` and never reads the fields. */
export interface ChessPosition {
  readonly board: Board;
  readonly turn: Side;
  /** Castling rights as bits. A right is kept only with its king and rook at home. */
  readonly castling: number;
  /** The square a pawn has just passed, only if taking there is legal (FIDE 9.2.3). */
  readonly enPassant: Square;
  /** Half-moves since the last capture or pawn move. */
  readonly halfMoves: number;
  /** 1 at the start, incremented after each move of black. */
  readonly fullMoves: number;
  readonly whiteKing: Square;
  readonly blackKing: Square;
  readonly isCheck: boolean;
  /** Occurrences of this position since the last irreversible move, 1 or more. */
  readonly occurrences: number;
  readonly previous: ChessPosition | null;
}

interface PositionFields {
  readonly board: Board;
  readonly turn: Side;
  readonly castling: number;
  readonly passedSquare: Square;
  readonly halfMoves: number;
  readonly fullMoves: number;
  readonly whiteKing: Square;
  readonly blackKing: Square;
}

export function kingOf(position: ChessPosition, side: Side): Square {
  return side === WHITE ? position.whiteKing : position.blackKing;
}

export function createPosition(fields: PositionFields, previous: ChessPosition | null, moved: Square): ChessPosition {
  const { board, turn, castling, halfMoves, fullMoves, whiteKing, blackKing } = fields;
  const king = turn === WHITE ? whiteKing : blackKing;
  const enPassant = fields.passedSquare === NOWHERE ? NOWHERE : findEnPassant(board, turn, king, fields.passedSquare);
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

/** The passed square if a pawn of the side to move can legally take there, else NOWHERE. */
function findEnPassant(board: Board, turn: Side, king: Square, passedSquare: Square): Square {
  const enemy = otherSide(turn);
  const target = passedSquare - pawnStep(turn);
  for (const offset of [-1, 1]) {
    const from = target + offset;
    if (from >> 3 !== target >> 3 || board[from] !== (PAWN | turn)) continue;
    if (!isAttackedAfter(board, king, enemy, from, passedSquare, target)) return passedSquare;
  }
  return NOWHERE;
}

/**
 * Compares whole positions, not hashes: money depends on the result. Castling rights are equal
 * since `previous`. The last target square differs most often, so it is compared first.
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
