import type { Square } from "@holo/rules/rules.ts";
import { type Board, EMPTY, isOwn, KNIGHT, NOWHERE, type Side } from "./board.ts";
import { ADJACENT, ATTACKS, DIRECTIONS, KNIGHT_TARGETS, LINES, REACH, STEPS } from "./geometry.ts";

export function isAttacked(board: Board, target: Square, by: Side): boolean {
  return isAttackedAfter(board, target, by, NOWHERE, NOWHERE, NOWHERE);
}

/**
 * Whether `by` would attack the square after a piece moved from `vacated` to `occupied` and the
 * piece on `taken` left (en passant). Does not change the board, so positions can share it.
 */
export function isAttackedAfter(
  board: Board,
  target: Square,
  by: Side,
  vacated: Square,
  occupied: Square,
  taken: Square,
): boolean {
  const jumps = KNIGHT_TARGETS[target]!;
  for (let i = 0; i < jumps.length; i++) {
    const square = jumps[i]!;
    if (board[square] === (KNIGHT | by) && square !== occupied) return true;
  }
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const step = STEPS[direction]!;
    const reach = REACH[target * DIRECTIONS + direction]!;
    let square = target;
    for (let distance = 1; distance <= reach; distance++) {
      square += step;
      if (square === occupied) break;
      const piece = board[square]!;
      if (piece === EMPTY || square === vacated || square === taken) continue;
      if (isOwn(piece, by) && ATTACKS[direction * 32 + (distance === 1 ? ADJACENT : 0) + piece] === 1) return true;
      break;
    }
  }
  return false;
}

/**
 * The direction from the king in which the piece on `square` is pinned, or NOWHERE. Assumes that
 * the king is not in check.
 */
export function pinDirection(board: Board, king: Square, square: Square, by: Side): number {
  const direction = LINES[king * 64 + square]!;
  if (direction === NOWHERE) return NOWHERE;
  const step = STEPS[direction]!;
  for (let between = king + step; between !== square; between += step) {
    if (board[between] !== EMPTY) return NOWHERE;
  }
  const reach = REACH[square * DIRECTIONS + direction]!;
  let behind = square;
  for (let distance = 1; distance <= reach; distance++) {
    behind += step;
    const piece = board[behind]!;
    if (piece === EMPTY) continue;
    return isOwn(piece, by) && ATTACKS[direction * 32 + piece] === 1 ? direction : NOWHERE;
  }
  return NOWHERE;
}
