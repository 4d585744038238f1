import { EMPTY, kindOf, otherSide, PAWN, pawnStep, type Side, WHITE } from "@holo/chess/board.ts";
import type { Square } from "@holo/rules/rules.ts";
import type { ChessBoard } from "./chess-board.ts";

const DOUBLED_MIDDLE = -9;
const DOUBLED_END = -18;
const ISOLATED_MIDDLE = -11;
const ISOLATED_END = -13;
/** By rank from the own side, of a pawn that no enemy pawn can stop or take. */
const PASSED_MIDDLE = [0, 3, 5, 10, 22, 45, 75, 0];
const PASSED_END = [0, 8, 12, 24, 50, 90, 140, 0];

/** At side + file, of the position judged last: pawns, and the rows of the first and the last. */
const pawnsOn = new Uint8Array(16);
const firstRow = new Uint8Array(16);
const lastRow = new Uint8Array(16);
const sums = { middle: 0, end: 0 };

export function countPawns(squares: Uint8Array): void {
  pawnsOn.fill(0);
  firstRow.fill(7);
  lastRow.fill(0);
  for (let square = 8; square < 56; square += 1) {
    const piece = squares[square]!;
    if (piece === EMPTY || kindOf(piece) !== PAWN) continue;
    const at = piece - PAWN + (square & 7);
    if (pawnsOn[at]! === 0) firstRow[at] = square >> 3;
    lastRow[at] = square >> 3;
    pawnsOn[at]! += 1;
  }
}

/** Whether the side has no pawn on the file. */
export function isFileOpen(file: number, side: Side): boolean {
  return pawnsOn[side + file] === 0;
}

/** Doubled, isolated and passed pawns. The result is overwritten by the next call. */
export function judgePawns(board: ChessBoard, side: Side): Readonly<typeof sums> {
  sums.middle = 0;
  sums.end = 0;
  for (let file = 0; file < 8; file += 1) {
    const count = pawnsOn[side + file]!;
    if (count === 0) continue;
    sums.middle += DOUBLED_MIDDLE * (count - 1);
    sums.end += DOUBLED_END * (count - 1);
    if (pawnsBeside(file, side) === 0) {
      sums.middle += ISOLATED_MIDDLE;
      sums.end += ISOLATED_END;
    }
    const row = side === WHITE ? firstRow[side + file]! : lastRow[side + file]!;
    if (isPassed(file, row, side)) addPassed(board, row * 8 + file, side);
  }
  return sums;
}

function pawnsBeside(file: number, side: Side): number {
  return (file > 0 ? pawnsOn[side + file - 1]! : 0) + (file < 7 ? pawnsOn[side + file + 1]! : 0);
}

function isPassed(file: number, row: number, side: Side): boolean {
  const enemy = otherSide(side);
  for (let near = Math.max(0, file - 1); near <= Math.min(7, file + 1); near += 1) {
    if (pawnsOn[enemy + near] === 0) continue;
    if (side === WHITE ? firstRow[enemy + near]! < row : lastRow[enemy + near]! > row) return false;
  }
  return true;
}

function addPassed(board: ChessBoard, square: Square, side: Side): void {
  const row = square >> 3;
  const rank = side === WHITE ? 7 - row : row;
  const ahead = square + pawnStep(side);
  const isBlocked = board.squares[ahead] !== EMPTY;
  const own = distanceOf(board.kingOf(side), ahead);
  const enemy = distanceOf(board.kingOf(otherSide(side)), ahead);
  sums.middle += PASSED_MIDDLE[rank]!;
  sums.end += (isBlocked ? PASSED_END[rank]! >> 1 : PASSED_END[rank]!) + Math.max(0, rank - 2) * (4 * enemy - 3 * own);
}

/** Pawns before a king, for a middlegame. */
export function judgeShelter(king: Square, side: Side): number {
  const file = king & 7;
  const rank = side === WHITE ? 7 - (king >> 3) : king >> 3;
  if (rank > 1) return -20;
  let score = 0;
  for (let near = Math.max(0, file - 1); near <= Math.min(7, file + 1); near += 1) {
    if (pawnsOn[side + near] === 0) {
      score -= isFileOpen(near, otherSide(side)) ? 26 : 16;
      continue;
    }
    const row = side === WHITE ? lastRow[side + near]! : firstRow[side + near]!;
    const ahead = (side === WHITE ? 7 - row : row) - rank;
    score += ahead === 1 ? 10 : ahead === 2 ? 5 : -4;
  }
  return score;
}

/** Steps of a king. */
export function distanceOf(a: Square, b: Square): number {
  return Math.max(Math.abs((a >> 3) - (b >> 3)), Math.abs((a & 7) - (b & 7)));
}
