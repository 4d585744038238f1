import { assert } from "@holo/kernel/assert.ts";
import { applyMove } from "./apply-move.ts";
import { MOVES_MAX, writeMoves } from "./moves.ts";
import type { ChessPosition } from "./position.ts";

/** Counts the series of `depth` legal moves, 0 or more. Only stalemate and mate end a series. */
export function perft(position: ChessPosition, depth: number): number {
  assert(Number.isInteger(depth) && depth >= 0, "a depth is a whole number");
  if (depth === 0) return 1;
  return countSeries(
    position,
    Array.from({ length: depth }, () => new Uint16Array(MOVES_MAX)),
    depth - 1,
  );
}

function countSeries(position: ChessPosition, lists: readonly Uint16Array[], level: number): number {
  const moves = lists[level]!;
  const count = writeMoves(position, moves);
  if (level === 0) return count;
  let total = 0;
  for (let i = 0; i < count; i++) total += countSeries(applyMove(position, moves[i]!), lists, level - 1);
  return total;
}
