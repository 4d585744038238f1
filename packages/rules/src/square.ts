import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Square } from "./rules.ts";

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
