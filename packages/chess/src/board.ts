import type { Square } from "@holo/rules/rules.ts";

/** A piece is its kind plus its side: 1-6 for white, 9-14 for black. */
export const EMPTY = 0;
export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;
export const KING = 6;
/** The bit that the pieces of a side carry: `piece & BLACK` gives the side. */
export const WHITE = 0;
export const BLACK = 8;
export type Side = typeof WHITE | typeof BLACK;

export const NOWHERE = -1;

/** 64 piece codes by square. A position never changes its array. */
export type Board = ArrayLike<number>;

export function kindOf(piece: number): number {
  return piece & 7;
}

export function isOwn(piece: number, side: Side): boolean {
  return piece !== EMPTY && (piece & BLACK) === side;
}

export function otherSide(side: Side): Side {
  return side === WHITE ? BLACK : WHITE;
}

/** One pawn step of the side; negative (towards row 0) for white. */
export function pawnStep(side: Side): number {
  return side === WHITE ? -8 : 8;
}

export function isLastRow(square: Square): boolean {
  return square < 8 || square >= 56;
}

/** 0 for dark squares such as a1, 1 for light ones. */
export function colourOf(square: Square): number {
  return ((square >> 3) + square + 1) & 1;
}
