import type { Square } from "@holo/rules/rules.ts";
import { isAttackedAfter, pinDirection } from "./attack.ts";
import {
  BISHOP,
  EMPTY,
  isLastRow,
  isOwn,
  KING,
  KNIGHT,
  kindOf,
  NOWHERE,
  otherSide,
  PAWN,
  pawnStep,
  QUEEN,
  ROOK,
  WHITE,
} from "./board.ts";
import { DIRECTIONS, FIRST_DIAGONAL, KING_TARGETS, KNIGHT_TARGETS, LINES, REACH, STEPS } from "./geometry.ts";
import { BLACK_LONG, BLACK_SHORT, type ChessPosition, kingOf, WHITE_LONG, WHITE_SHORT } from "./position.ts";

/** From, to and the promotion kind (0 for none), packed into 15 bits. */
export type PackedMove = number;

/** Room for a king and fifteen queens with 27 squares each, more than any position has. */
export const MOVES_MAX = 512;

const PROMOTION_KINDS = [QUEEN, ROOK, BISHOP, KNIGHT] as const;

export function packMove(from: Square, to: Square, promotion: number): PackedMove {
  return from | (to << 6) | (promotion << 12);
}

export function fromOf(move: PackedMove): Square {
  return move & 63;
}

export function toOf(move: PackedMove): Square {
  return (move >> 6) & 63;
}

export function promotionOf(move: PackedMove): number {
  return move >> 12;
}

/** Writes every legal move to `out` and returns their count. */
export function writeMoves(position: ChessPosition, out: Uint16Array): number {
  let count = 0;
  for (let square = 0; square < 64; square++) count = writePieceMoves(position, square, out, count);
  return count;
}

const scratch = new Uint16Array(MOVES_MAX);

export function hasMove(position: ChessPosition): boolean {
  for (let square = 0; square < 64; square++) {
    if (writePieceMoves(position, square, scratch, 0) > 0) return true;
  }
  return false;
}

/** Whether exactly this move is legal. Generates only the moves of its piece. */
export function isLegal(position: ChessPosition, move: PackedMove): boolean {
  const count = writePieceMoves(position, fromOf(move), scratch, 0);
  for (let i = 0; i < count; i++) {
    if (scratch[i] === move) return true;
  }
  return false;
}

/** Writes the legal moves of the piece on `from` after index `start` and returns the new count. */
function writePieceMoves(position: ChessPosition, from: Square, out: Uint16Array, start: number): number {
  const { board, turn, isCheck } = position;
  const piece = board[from]!;
  if (!isOwn(piece, turn)) return start;
  const kind = kindOf(piece);
  if (kind === KING) return writeKingMoves(position, from, out, start);
  const king = kingOf(position, turn);
  const pin = isCheck ? NOWHERE : pinDirection(board, king, from, otherSide(turn));
  if (kind === PAWN) return writePawnMoves(position, from, pin, out, start);
  let count = start;
  if (kind === KNIGHT) {
    if (pin !== NOWHERE) return start;
    const targets = KNIGHT_TARGETS[from]!;
    for (let i = 0; i < targets.length; i++) {
      const to = targets[i]!;
      if (!isOwn(board[to]!, turn) && isSafe(position, king, pin, from, to)) out[count++] = packMove(from, to, 0);
    }
    return count;
  }
  const last = kind === ROOK ? FIRST_DIAGONAL : DIRECTIONS;
  for (let direction = kind === BISHOP ? FIRST_DIAGONAL : 0; direction < last; direction++) {
    const step = STEPS[direction]!;
    const reach = REACH[from * DIRECTIONS + direction]!;
    let to = from;
    for (let distance = 1; distance <= reach; distance++) {
      to += step;
      const target = board[to]!;
      if (isOwn(target, turn)) break;
      if (isSafe(position, king, pin, from, to)) out[count++] = packMove(from, to, 0);
      if (target !== EMPTY) break;
    }
  }
  return count;
}

/** Whether the king is safe after a move of another piece. Does not handle en passant. */
function isSafe(position: ChessPosition, king: Square, pin: number, from: Square, to: Square): boolean {
  if (position.isCheck) return !isAttackedAfter(position.board, king, otherSide(position.turn), from, to, NOWHERE);
  return pin === NOWHERE || LINES[king * 64 + to] === pin;
}

function writePawnMoves(position: ChessPosition, from: Square, pin: number, out: Uint16Array, start: number): number {
  const { board, turn, enPassant } = position;
  const enemy = otherSide(turn);
  const king = kingOf(position, turn);
  const step = pawnStep(turn);
  const ahead = from + step;
  let count = start;
  if (board[ahead] === EMPTY) {
    if (isSafe(position, king, pin, from, ahead)) count = writePawnMove(from, ahead, out, count);
    const isAtHome = from >> 3 === (turn === WHITE ? 6 : 1);
    const twoAhead = ahead + step;
    if (isAtHome && board[twoAhead] === EMPTY && isSafe(position, king, pin, from, twoAhead)) {
      out[count++] = packMove(from, twoAhead, 0);
    }
  }
  for (let offset = -1; offset <= 1; offset += 2) {
    const to = ahead + offset;
    if (to >> 3 !== ahead >> 3) continue;
    if (isOwn(board[to]!, enemy)) {
      if (isSafe(position, king, pin, from, to)) count = writePawnMove(from, to, out, count);
    } else if (to === enPassant && !isAttackedAfter(board, king, enemy, from, to, to - step)) {
      out[count++] = packMove(from, to, 0);
    }
  }
  return count;
}

function writePawnMove(from: Square, to: Square, out: Uint16Array, start: number): number {
  if (!isLastRow(to)) {
    out[start] = packMove(from, to, 0);
    return start + 1;
  }
  let count = start;
  for (const kind of PROMOTION_KINDS) out[count++] = packMove(from, to, kind);
  return count;
}

function writeKingMoves(position: ChessPosition, from: Square, out: Uint16Array, start: number): number {
  const { board, turn, castling, isCheck } = position;
  const enemy = otherSide(turn);
  const targets = KING_TARGETS[from]!;
  let count = start;
  for (let i = 0; i < targets.length; i++) {
    const to = targets[i]!;
    if (!isOwn(board[to]!, turn) && !isAttackedAfter(board, to, enemy, from, NOWHERE, NOWHERE)) {
      out[count++] = packMove(from, to, 0);
    }
  }
  if (isCheck || castling === 0) return count;
  const short = turn === WHITE ? WHITE_SHORT : BLACK_SHORT;
  if ((castling & short) !== 0 && board[from + 1] === EMPTY && board[from + 2] === EMPTY) {
    if (isUnattackedPath(position, from, 1)) out[count++] = packMove(from, from + 2, 0);
  }
  const long = turn === WHITE ? WHITE_LONG : BLACK_LONG;
  if ((castling & long) !== 0 && board[from - 1] === EMPTY && board[from - 2] === EMPTY && board[from - 3] === EMPTY) {
    if (isUnattackedPath(position, from, -1)) out[count++] = packMove(from, from - 2, 0);
  }
  return count;
}

/** FIDE 3.8.2.2: the square that the king crosses and its target must not be attacked. */
function isUnattackedPath(position: ChessPosition, from: Square, step: number): boolean {
  const enemy = otherSide(position.turn);
  return (
    !isAttackedAfter(position.board, from + step, enemy, from, NOWHERE, NOWHERE) &&
    !isAttackedAfter(position.board, from + 2 * step, enemy, from, NOWHERE, NOWHERE)
  );
}
