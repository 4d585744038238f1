import { BLACK, EMPTY, kindOf, WHITE } from "@holo/chess/board.ts";
import type { ChessPosition } from "@holo/chess/chess.ts";

const VALUES = [0, 100, 320, 330, 500, 950, 0];

export function evaluate({ board, turn }: ChessPosition): number {
  let score = 0;
  for (let square = 0; square < 64; square += 1) {
    const piece = board[square]!;
    if (piece === EMPTY) continue;
    const kind = kindOf(piece);
    const row = (piece & BLACK) === WHITE ? 7 - (square >> 3) : square >> 3;
    const column = square & 7;
    const centre = 6 - Math.abs(2 * column - 7) / 2 - Math.abs(2 * row - 7) / 2;
    const value = VALUES[kind]! + (kind === 1 ? row * row : kind < 6 ? 3 * centre : -2 * centre);
    score += (piece & BLACK) === WHITE ? value : -value;
  }
  return turn === WHITE ? score : -score;
}
