import { countSquares, MAIN_ROAD, type Squares, toSquare } from "@holo/checkers/board.ts";
import type { CheckersPosition } from "@holo/checkers/position.ts";

const MAN = 100;
const KING = 300;

/** The squares of each row, from rank 8. */
const ROWS: readonly Squares[] = Array.from({ length: 8 }, (_, row) =>
  Array.from({ length: 32 }, (_, index) => index)
    .filter((index) => toSquare(index) >> 3 === row)
    .reduce((set, index) => set | (1 << index), 0),
);
const ADVANCE = [0, 14, 9, 6, 4, 2, 1, 6];

export function evaluate({ white, black, kings, turn }: CheckersPosition): number {
  const score = judge(white, kings, false) - judge(black, kings, true);
  return turn === 1 ? score : -score;
}

function judge(pieces: Squares, kings: Squares, isBlack: boolean): number {
  const men = pieces & ~kings;
  let score = MAN * countSquares(men) + KING * countSquares(pieces & kings);
  for (let row = 0; row < 8; row += 1) score += ADVANCE[row]! * countSquares(men & ROWS[isBlack ? 7 - row : row]!);
  if ((pieces & kings & MAIN_ROAD) !== 0) score += 20;
  return score;
}
