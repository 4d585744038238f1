import {
  BISHOP,
  BLACK,
  colourOf,
  EMPTY,
  isOwn,
  KING,
  KNIGHT,
  kindOf,
  otherSide,
  PAWN,
  QUEEN,
  ROOK,
  type Side,
  WHITE,
} from "@holo/chess/board.ts";
import { DIRECTIONS, FIRST_DIAGONAL, KNIGHT_TARGETS, REACH, STEPS } from "@holo/chess/geometry.ts";
import type { Square } from "@holo/rules/rules.ts";
import type { ChessBoard } from "./chess-board.ts";
import { countPawns, distanceOf, isFileOpen, judgePawns, judgeShelter } from "./pawns.ts";
import { PHASE_START, PHASES } from "./piece-values.ts";

const TEMPO = 10;
const TWO_BISHOPS_MIDDLE = 25;
const TWO_BISHOPS_END = 45;
/** By kind: squares a piece usually has, and what one more is worth. */
const USUAL_SQUARES = [0, 0, 4, 6, 7, 13, 0];
const SQUARE_MIDDLE = [0, 0, 4, 5, 2, 1, 0];
const SQUARE_END = [0, 0, 4, 4, 4, 2, 0];
/** By kind: the danger of an attacked square beside the enemy's king. */
const DANGERS = [0, 0, 2, 2, 3, 4, 0];
const DANGER_MAX = 40;
const DANGER_WORTH = Int16Array.from({ length: DANGER_MAX + 1 }, (_, danger) => danger ** 2 / 4);

/** Sums for white, in a middlegame and in an ending. */
let middle = 0;
let end = 0;

/** In hundredths, for the side to move. */
export function evaluate(board: ChessBoard): number {
  middle = board.middle;
  end = board.end;
  countPawns(board.squares);
  judgeSide(board, WHITE, 1);
  judgeSide(board, BLACK, -1);
  const phase = phaseOf(board);
  const whole = (middle * phase + end * (PHASE_START - phase)) / PHASE_START;
  const score = Math.trunc(whole * shareToWin(board, whole > 0 ? WHITE : BLACK)) + driveToEdge(board);
  return (board.turn === WHITE ? score : -score) + TEMPO;
}

function phaseOf({ counts }: ChessBoard): number {
  let phase = 0;
  for (let kind = KNIGHT; kind <= QUEEN; kind += 1) phase += PHASES[kind]! * (counts[kind]! + counts[kind | BLACK]!);
  return Math.min(phase, PHASE_START);
}

function judgeSide(board: ChessBoard, side: Side, sign: number): void {
  const { squares, counts } = board;
  const king = board.kingOf(otherSide(side));
  let attackers = 0;
  let danger = 0;
  for (let square = 0; square < 64; square += 1) {
    const piece = squares[square]!;
    if (piece === EMPTY || (piece & BLACK) !== side) continue;
    const kind = kindOf(piece);
    if (kind === PAWN || kind === KING) continue;
    const reached = countReached(squares, square, kind, side, king);
    const touching = reached >> TOUCHING;
    const more = (reached & ((1 << TOUCHING) - 1)) - USUAL_SQUARES[kind]!;
    middle += sign * SQUARE_MIDDLE[kind]! * more;
    end += sign * SQUARE_END[kind]! * more;
    if (touching > 0) {
      attackers += 1;
      danger += DANGERS[kind]! * touching;
    }
    if (kind === ROOK) judgeRook(square, side, sign);
  }
  if (attackers > 1) middle += sign * DANGER_WORTH[Math.min(danger, DANGER_MAX)]!;
  if (counts[BISHOP | side]! > 1) {
    middle += sign * TWO_BISHOPS_MIDDLE;
    end += sign * TWO_BISHOPS_END;
  }
  middle += sign * judgeShelter(board.kingOf(side), side);
  const pawns = judgePawns(board, side);
  middle += sign * pawns.middle;
  end += sign * pawns.end;
}

function judgeRook(square: Square, side: Side, sign: number): void {
  if (!isFileOpen(square & 7, side)) return;
  const isOpen = isFileOpen(square & 7, otherSide(side));
  middle += sign * (isOpen ? 24 : 11);
  end += sign * (isOpen ? 10 : 5);
}

/** At square * 64 + king: 1 where they touch. */
const TOUCHES = new Uint8Array(64 * 64);
for (let square = 0; square < 64; square += 1) {
  for (let king = 0; king < 64; king += 1) TOUCHES[square * 64 + king] = distanceOf(square, king) < 2 ? 1 : 0;
}
const TOUCHING = 8;

/** The squares that a piece may go to, and above `TOUCHING` bits those beside the enemy's king. */
function countReached(squares: Uint8Array, from: Square, kind: number, side: Side, king: Square): number {
  let count = 0;
  if (kind === KNIGHT) {
    const targets = KNIGHT_TARGETS[from]!;
    for (let at = 0; at < targets.length; at += 1) {
      const to = targets[at]!;
      if (!isOwn(squares[to]!, side)) count += 1 + (TOUCHES[to * 64 + king]! << TOUCHING);
    }
    return count;
  }
  const last = kind === ROOK ? FIRST_DIAGONAL : DIRECTIONS;
  for (let direction = kind === BISHOP ? FIRST_DIAGONAL : 0; direction < last; direction += 1) {
    const far = REACH[from * DIRECTIONS + direction]!;
    const step = STEPS[direction]!;
    let to = from;
    for (let distance = 1; distance <= far; distance += 1) {
      to += step;
      const met = squares[to]!;
      if (met === EMPTY) count += 1 + (TOUCHES[to * 64 + king]! << TOUCHING);
      else {
        if ((met & BLACK) !== side) count += 1 + (TOUCHES[to * 64 + king]! << TOUCHING);
        break;
      }
    }
  }
  return count;
}

/** How much of an advantage can become a win: little without pawns, or with bishops apart. */
function shareToWin(board: ChessBoard, strong: Side): number {
  const { counts } = board;
  const weak = otherSide(strong);
  const strength = strengthOf(counts, strong);
  const lead = strength - strengthOf(counts, weak);
  if (counts[PAWN | strong] === 0) {
    if (strength < 5) return counts[PAWN | weak] === 0 ? 0.05 : 0.2;
    // Two knights cannot force mate.
    if (lead < 4 || (counts[KNIGHT | strong] === 2 && strength === 6)) return 0.15;
    return 1;
  }
  return strength === 3 && strengthOf(counts, weak) === 3 && areBishopsApart(board) ? 0.6 : 1;
}

/** In pawns, without the pawns themselves. */
function strengthOf(counts: Uint8Array, side: Side): number {
  const minor = counts[KNIGHT | side]! + counts[BISHOP | side]!;
  return 3 * minor + 5 * counts[ROOK | side]! + 9 * counts[QUEEN | side]!;
}

function areBishopsApart({ squares, counts }: ChessBoard): boolean {
  if (counts[BISHOP] !== 1 || counts[BISHOP | BLACK] !== 1) return false;
  return colourOf(squares.indexOf(BISHOP)) !== colourOf(squares.indexOf(BISHOP | BLACK));
}

/** Mates with few pieces: a lone king is driven to the edge, and the other king comes near. */
function driveToEdge(board: ChessBoard): number {
  const isWhiteLone = isLone(board.counts, WHITE);
  if (isWhiteLone === isLone(board.counts, BLACK)) return 0;
  const strong = isWhiteLone ? BLACK : WHITE;
  if (strengthOf(board.counts, strong) < 5) return 0;
  const lone = board.kingOf(otherSide(strong));
  const [row, column] = [lone >> 3, lone & 7];
  const fromCentre = Math.max(3 - row, row - 4) + Math.max(3 - column, column - 4);
  const score = 200 + 20 * fromCentre + 8 * (7 - distanceOf(lone, board.kingOf(strong)));
  return strong === WHITE ? score : -score;
}

function isLone(counts: Uint8Array, side: Side): boolean {
  return counts[PAWN | side] === 0 && strengthOf(counts, side) === 0;
}
