import type { Seat, Square } from "@holo/rules/rules.ts";
import { BOARD_SQUARES } from "@holo/rules/square.ts";

/**
 * A set of the 32 dark squares in one int32. An index counts diagonal steps from a1, modulo 32
 * (up-right 1, up-left 7), so one rotation moves a whole set one step in any direction.
 */
export type Squares = number;
/** 0-31, the bit of a dark square. */
export type Index = number;

export const DARK_SQUARES = 32;

const INDEX_OF_SQUARE = new Int8Array(BOARD_SQUARES).fill(-1);
const SQUARE_OF_INDEX = new Int8Array(DARK_SQUARES);
for (let square = 0; square < BOARD_SQUARES; square += 1) {
  const column = square & 7;
  const height = 7 - (square >> 3);
  if ((column + height) % 2 !== 0) continue;
  const index = ((column + height) / 2 + 7 * ((height - column) / 2)) & 31;
  INDEX_OF_SQUARE[square] = index;
  SQUARE_OF_INDEX[index] = square;
}

/** -1 for a light square and for anything that is not a square. */
export function toIndex(square: Square): Index {
  return INDEX_OF_SQUARE[square] ?? -1;
}

export function toSquare(index: Index): Square {
  return SQUARE_OF_INDEX[index]!;
}

function squaresWhere(matches: (row: number, column: number) => boolean): Squares {
  let squares = 0;
  for (let index = 0; index < DARK_SQUARES; index += 1) {
    const square = toSquare(index);
    if (matches(square >> 3, square & 7)) squares |= 1 << index;
  }
  return squares;
}

const NOT_TOP_RIGHT = squaresWhere((row, column) => row !== 0 && column !== 7);
const NOT_TOP_LEFT = squaresWhere((row, column) => row !== 0 && column !== 0);
const NOT_BOTTOM_RIGHT = squaresWhere((row, column) => row !== 7 && column !== 7);
const NOT_BOTTOM_LEFT = squaresWhere((row, column) => row !== 7 && column !== 0);

/** Every square one step up and to the right; squares beyond the edge are dropped. */
export function upRight(squares: Squares): Squares {
  const kept = squares & NOT_TOP_RIGHT;
  return (kept << 1) | (kept >>> 31);
}

export function upLeft(squares: Squares): Squares {
  const kept = squares & NOT_TOP_LEFT;
  return (kept << 7) | (kept >>> 25);
}

export function downRight(squares: Squares): Squares {
  const kept = squares & NOT_BOTTOM_RIGHT;
  return (kept << 25) | (kept >>> 7);
}

export function downLeft(squares: Squares): Squares {
  const kept = squares & NOT_BOTTOM_LEFT;
  return (kept << 31) | (kept >>> 1);
}

export const DIRECTIONS = 4;
/** The square one step away, at direction * 32 + index, or -1. Directions 0 and 1 go up. */
export const NEIGHBOURS = new Int8Array(DIRECTIONS * DARK_SQUARES);
[upRight, upLeft, downRight, downLeft].forEach((step, direction) => {
  for (let index = 0; index < DARK_SQUARES; index += 1) {
    const next = step(1 << index);
    NEIGHBOURS[direction * DARK_SQUARES + index] = next === 0 ? -1 : indexOfLowest(next);
  }
});

/** The direction from one square to another, at from * 32 + to; -1 without a shared diagonal. */
export const HEADINGS = new Int8Array(DARK_SQUARES * DARK_SQUARES).fill(-1);
for (let from = 0; from < DARK_SQUARES; from += 1) {
  for (let direction = 0; direction < DIRECTIONS; direction += 1) {
    let to = NEIGHBOURS[direction * DARK_SQUARES + from]!;
    while (to >= 0) {
      HEADINGS[from * DARK_SQUARES + to] = direction;
      to = NEIGHBOURS[direction * DARK_SQUARES + to]!;
    }
  }
}

const TOP_ROW = squaresWhere((row) => row === 0);
const BOTTOM_ROW = squaresWhere((row) => row === 7);
export const WHITE_HOME = squaresWhere((row) => row >= 5);
export const BLACK_HOME = squaresWhere((row) => row <= 2);
/** The diagonal a1-h8. */
export const MAIN_ROAD = squaresWhere((row, column) => row + column === 7);

export function crownRow(seat: Seat): Squares {
  return seat === 1 ? TOP_ROW : BOTTOM_ROW;
}

const SECOND_ROW = squaresWhere((row) => row === 1);
const SEVENTH_ROW = squaresWhere((row) => row === 6);

/**
 * Whether the moving piece is a king afterwards. A man reaches its last row by capture only by
 * taking a piece on the row before it, so the order of captures does not matter.
 */
export function isCrownedBy(from: Squares, to: Squares, captured: Squares, kings: Squares, seat: Seat): boolean {
  const rowBefore = seat === 1 ? SECOND_ROW : SEVENTH_ROW;
  return (kings & from) !== 0 || (captured & rowBefore) !== 0 || (to & crownRow(seat)) !== 0;
}

export function indexOfLowest(squares: Squares): Index {
  return 31 - Math.clz32(squares & -squares);
}

export function countSquares(squares: Squares): number {
  const pairs = squares - ((squares >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
