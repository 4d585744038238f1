import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Seat, Square } from "./rules.ts";

export const BOARD_SQUARES = 64;

/** `c3` for 42. */
export function formatSquare(square: Square): string {
  return "abcdefgh"[square & 7]! + (8 - (square >> 3));
}

export function parseSquare(text: string): Result<Square, "bad_square"> {
  if (!/^[a-h][1-8]$/.test(text)) return refuse("bad_square");
  return ok((8 - Number(text[1])) * 8 + (text.charCodeAt(0) - 97));
}

export function isSquare(value: unknown): value is Square {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < BOARD_SQUARES;
}

/** At which step of a path a man or a pawn becomes another piece: on the last row. -1 for none. */
export function findLastRowStep(path: readonly Square[], seat: Seat): number {
  return path.findIndex((square, step) => step > 0 && square >> 3 === (seat === 1 ? 0 : 7));
}
