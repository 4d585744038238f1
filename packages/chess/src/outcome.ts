import type { Outcome } from "@holo/rules/rules.ts";
import { WHITE } from "./board.ts";
import { isInsufficientMaterial } from "./material.ts";
import { hasMove } from "./moves.ts";
import type { ChessPosition } from "./position.ts";

const FIFTY_MOVES = 100;
const THREEFOLD = 3;

/**
 * How the position ends the game, or null. Mate and stalemate come first: a mate on the hundredth
 * half-move wins (FIDE 9.3, 9.6.2). Of several draws, the irreversible one is returned.
 */
export function outcomeOf(position: ChessPosition): Outcome | null {
  if (!hasMove(position)) {
    if (!position.isCheck) return { type: "draw", reason: "stalemate" };
    return { type: "win", winner: position.turn === WHITE ? 2 : 1, reason: "checkmate" };
  }
  if (isInsufficientMaterial(position.board)) return { type: "draw", reason: "insufficient_material" };
  if (position.occurrences >= THREEFOLD) return { type: "draw", reason: "threefold_repetition" };
  if (position.halfMoves >= FIFTY_MOVES) return { type: "draw", reason: "fifty_moves" };
  return null;
}
