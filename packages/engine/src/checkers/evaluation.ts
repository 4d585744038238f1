import {
  countSquares,
  downLeft,
  downRight,
  MAIN_ROAD,
  type Squares,
  toSquare,
  upLeft,
  upRight,
} from "@holo/checkers/board.ts";
import type { CheckersPosition } from "@holo/checkers/position.ts";

const MAN = 100;
const KING = 270;
/** The side with the main road can hold out; more so if the other side has no king. */
const ROAD = 25;
/** By row from rank 8, for white. The last row is a guard against kings. */
const PLACES = [0, 34, 20, 12, 7, 3, 1, 9];
const CENTRE = 5;
const EDGE = -4;
/** A man with another behind it cannot be taken from the front. */
const BACKED = 3;
/** A man that cannot step, and one whose way to the last row is free. */
const STUCK = -7;
const FREE = 30;
const TEMPO = 3;
/** How much of an advantage three pieces keep against a king on the main road, or two a king. */
const HELD_SHARE = 0.05;

const ROWS: readonly Squares[] = Array.from({ length: 8 }, (_, row) => squaresWhere((square) => square >> 3 === row));
const MIDDLE_SQUARES = squaresWhere((square) => {
  const [row, column] = [square >> 3, square & 7];
  return row >= 2 && row <= 5 && column >= 2 && column <= 5;
});
const EDGE_SQUARES = squaresWhere((square) => (square & 7) === 0 || (square & 7) === 7);

/** In hundredths, for the side to move. */
export function evaluate({ white, black, kings, turn }: CheckersPosition): number {
  const empty = ~(white | black);
  const whole = judgeMen(white & ~kings, empty, false) - judgeMen(black & ~kings, empty, true);
  const score = scale(whole + judgeKings(white, black, kings) - judgeKings(black, white, kings), white, black, kings);
  return (turn === 1 ? score : -score) + TEMPO;
}

function judgeMen(men: Squares, empty: Squares, isBlack: boolean): number {
  let score = MAN * countSquares(men);
  for (let row = 0; row < 8; row += 1) {
    const inRow = men & ROWS[isBlack ? 7 - row : row]!;
    if (inRow !== 0) score += PLACES[row]! * countSquares(inRow);
  }
  score += CENTRE * countSquares(men & MIDDLE_SQUARES) + EDGE * countSquares(men & EDGE_SQUARES);
  const backed = isBlack ? downLeft(men) | downRight(men) : upLeft(men) | upRight(men);
  score += BACKED * countSquares(men & backed);
  const canStep = isBlack ? upLeft(empty) | upRight(empty) : downLeft(empty) | downRight(empty);
  score += STUCK * countSquares(men & ~canStep);
  return score + FREE * countSquares(findFree(men, empty, isBlack));
}

/** Men on the last three rows before crowning with an empty way. */
function findFree(men: Squares, empty: Squares, isBlack: boolean): Squares {
  const last = empty & ROWS[isBlack ? 7 : 0]!;
  const first = isBlack ? upLeft(last) | upRight(last) : downLeft(last) | downRight(last);
  const next = first & empty;
  const second = isBlack ? upLeft(next) | upRight(next) : downLeft(next) | downRight(next);
  return men & (first | second);
}

function judgeKings(own: Squares, enemy: Squares, kings: Squares): number {
  const ownKings = own & kings;
  if (ownKings === 0) return 0;
  const enemyKings = enemy & kings;
  let score = KING * countSquares(ownKings);
  // Further kings are worth little if the other side has none to catch.
  if (enemyKings === 0) score += 40;
  if ((ownKings & MAIN_ROAD) !== 0 && (enemyKings & MAIN_ROAD) === 0) score += enemyKings === 0 ? 2 * ROAD : ROAD;
  return score;
}

/** What cannot be won is worth little: a lone king holds the main road, and escapes two pieces. */
function scale(score: number, white: Squares, black: Squares, kings: Squares): number {
  const [strong, weak] = score > 0 ? [white, black] : [black, white];
  const weakKings = weak & kings;
  if (weakKings === 0) return score;
  const count = countSquares(strong);
  if (weak === weakKings && countSquares(weak) === 1) {
    const isHeld = count < 3 || (count === 3 && (weak & MAIN_ROAD) !== 0);
    if (isHeld) return Math.trunc(score * HELD_SHARE);
    // Three kings catch a lone one that is off the main road.
    return (strong & ~kings) === 0 && (strong & MAIN_ROAD) !== 0 ? score + Math.sign(score) * ROAD : score;
  }
  return count + countSquares(weak) <= 7 ? score >> 1 : score;
}

function squaresWhere(matches: (square: number) => boolean): Squares {
  let squares = 0;
  for (let index = 0; index < 32; index += 1) if (matches(toSquare(index))) squares |= 1 << index;
  return squares;
}
