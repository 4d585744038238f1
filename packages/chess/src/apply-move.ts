import type { Square } from "@holo/rules/rules.ts";
import { BLACK, EMPTY, KING, kindOf, NOWHERE, otherSide, PAWN, pawnStep } from "./board.ts";
import { fromOf, type PackedMove, promotionOf, toOf } from "./moves.ts";
import { BLACK_LONG, BLACK_SHORT, type ChessPosition, createPosition, WHITE_LONG, WHITE_SHORT } from "./position.ts";

/** The castling rights that end when a piece leaves a square or is taken on it; 0 is a8, 63 h1. */
export const ENDED_RIGHTS = new Uint8Array(64);
ENDED_RIGHTS[0] = BLACK_LONG;
ENDED_RIGHTS[4] = BLACK_LONG | BLACK_SHORT;
ENDED_RIGHTS[7] = BLACK_SHORT;
ENDED_RIGHTS[56] = WHITE_LONG;
ENDED_RIGHTS[60] = WHITE_LONG | WHITE_SHORT;
ENDED_RIGHTS[63] = WHITE_SHORT;

/** The square of the captured piece; NOWHERE: no capture. */
export function takenSquare(position: ChessPosition, move: PackedMove): Square {
  const to = toOf(move);
  if (position.board[to] !== EMPTY) return to;
  const isEnPassant = to === position.enPassant && kindOf(position.board[fromOf(move)]!) === PAWN;
  return isEnPassant ? to - pawnStep(position.turn) : NOWHERE;
}

export function applyMove(position: ChessPosition, move: PackedMove): ChessPosition {
  const { turn, castling } = position;
  const from = fromOf(move);
  const to = toOf(move);
  const promotion = promotionOf(move);
  const taken = takenSquare(position, move);
  const piece = position.board[from]!;
  const kind = kindOf(piece);
  const board = new Uint8Array(position.board);
  board[from] = EMPTY;
  if (taken !== NOWHERE) board[taken] = EMPTY;
  board[to] = promotion === 0 ? piece : promotion | turn;
  let passedSquare: Square = NOWHERE;
  if (kind === KING && Math.abs(to - from) === 2) {
    const corner = to > from ? to + 1 : to - 2;
    board[(from + to) >> 1] = board[corner]!;
    board[corner] = EMPTY;
  } else if (kind === PAWN && Math.abs(to - from) === 16) {
    passedSquare = (from + to) >> 1;
  }
  const rights = castling & ~(ENDED_RIGHTS[from]! | ENDED_RIGHTS[to]!);
  const isIrreversible = kind === PAWN || taken !== NOWHERE;
  return createPosition(
    {
      board,
      turn: otherSide(turn),
      castling: rights,
      passedSquare,
      halfMoves: isIrreversible ? 0 : position.halfMoves + 1,
      fullMoves: position.fullMoves + (turn === BLACK ? 1 : 0),
      whiteKing: piece === KING ? to : position.whiteKing,
      blackKing: piece === (KING | BLACK) ? to : position.blackKing,
    },
    isIrreversible || rights !== castling ? null : position,
    to,
  );
}
