import { EMPTY, NOWHERE, WHITE } from "@holo/chess/board.ts";
import type { ChessPosition } from "@holo/chess/chess.ts";
import { makeRandom } from "@holo/kernel/random.ts";

/** At piece * 64 + square; rows that no piece has are for the rest of a position. */
export const KEYS = toRandomNumbers(1);
export const PROOFS = toRandomNumbers(2);

const CASTLING = 0;
const EN_PASSANT = 7 * 64;
export const BLACK_TO_MOVE = 8 * 64;

/** Where the number of the castling rights is. */
export function castlingAt(rights: number): number {
  return CASTLING + rights;
}

/** Where the number of a passed square is; `CASTLING` with all rights lost serves for none. */
export function enPassantAt(square: number): number {
  return square === NOWHERE ? CASTLING + 63 : EN_PASSANT + square;
}

export function hash({ board, turn, castling, enPassant }: ChessPosition, numbers: Int32Array): number {
  let sum = numbers[castlingAt(castling)]! ^ numbers[enPassantAt(enPassant)]!;
  if (turn !== WHITE) sum ^= numbers[BLACK_TO_MOVE]!;
  for (let square = 0; square < 64; square += 1) {
    const piece = board[square]!;
    if (piece !== EMPTY) sum ^= numbers[piece * 64 + square]!;
  }
  return sum;
}

function toRandomNumbers(seed: number): Int32Array {
  const random = makeRandom(seed);
  return Int32Array.from({ length: 16 * 64 }, () => random(2 ** 32) | 0);
}
