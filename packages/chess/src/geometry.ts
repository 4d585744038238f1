import type { Square } from "@holo/rules/rules.ts";
import { BISHOP, BLACK, KING, NOWHERE, PAWN, QUEEN, ROOK, WHITE } from "./board.ts";

/** Directions 0-3 are straight, 4-7 diagonal: rooks use the first half, bishops the second. */
const VECTORS = [
  { down: -1, right: 0 },
  { down: 1, right: 0 },
  { down: 0, right: -1 },
  { down: 0, right: 1 },
  { down: -1, right: -1 },
  { down: -1, right: 1 },
  { down: 1, right: -1 },
  { down: 1, right: 1 },
] as const;
export const FIRST_DIAGONAL = 4;
export const DIRECTIONS = VECTORS.length;

export const STEPS = Int8Array.from(VECTORS, (vector) => vector.down * 8 + vector.right);

/** At square * 8 + direction: squares until the edge. */
export const REACH = new Uint8Array(64 * DIRECTIONS);

/** At a * 64 + b: the direction from a to b, or NOWHERE without a straight line. */
export const LINES = new Int8Array(64 * 64).fill(NOWHERE);

export const KING_TARGETS: readonly (readonly Square[])[] = targetsOf((down, right) => Math.max(down, right) === 1);
export const KNIGHT_TARGETS: readonly (readonly Square[])[] = targetsOf((down, right) => down * right === 2);

/**
 * At direction * 32 + (16 when one step away) + piece: 1 if that piece, the first one seen from a
 * square in that direction, attacks the square. Knights are handled separately.
 */
export const ATTACKS = new Uint8Array(DIRECTIONS * 32);
export const ADJACENT = 16;

for (let square = 0; square < 64; square++) {
  const row = square >> 3;
  const column = square & 7;
  for (const [direction, { down, right }] of VECTORS.entries()) {
    const rows = down === 0 ? 7 : down < 0 ? row : 7 - row;
    const columns = right === 0 ? 7 : right < 0 ? column : 7 - column;
    const reach = Math.min(rows, columns);
    REACH[square * DIRECTIONS + direction] = reach;
    for (let steps = 1; steps <= reach; steps++) {
      LINES[square * 64 + square + steps * STEPS[direction]!] = direction;
    }
  }
}

for (const [direction, { down }] of VECTORS.entries()) {
  const isDiagonal = direction >= FIRST_DIAGONAL;
  for (const side of [WHITE, BLACK]) {
    for (const distance of [0, ADJACENT]) {
      const base = direction * 32 + distance + side;
      ATTACKS[base + QUEEN] = 1;
      ATTACKS[base + (isDiagonal ? BISHOP : ROOK)] = 1;
    }
    ATTACKS[direction * 32 + ADJACENT + side + KING] = 1;
    // A white pawn captures up the board, so its victim sees it below.
    const pawnBelow = side === WHITE ? 1 : -1;
    if (isDiagonal && down === pawnBelow) ATTACKS[direction * 32 + ADJACENT + side + PAWN] = 1;
  }
}

function targetsOf(isJump: (down: number, right: number) => boolean): Square[][] {
  const squares = Array.from({ length: 64 }, (_, square) => square);
  return squares.map((from) =>
    squares.filter((to) => isJump(Math.abs((from >> 3) - (to >> 3)), Math.abs((from & 7) - (to & 7)))),
  );
}
