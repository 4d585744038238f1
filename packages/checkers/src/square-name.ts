import type { Square } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { toIndex } from "./board.ts";

/** A dark square by name (`c3`, `C3`) or number (b8 = 1, four a row, a1 = 29), else null. */
export function parseDarkSquare(text: string): Square | null {
  if (/^\d{1,2}$/.test(text)) return squareOfNumber(Number(text));
  const named = parseSquare(text.toLowerCase());
  return named.ok && toIndex(named.value) >= 0 ? named.value : null;
}

function squareOfNumber(number: number): Square | null {
  if (number < 1 || number > 32) return null;
  const row = (number - 1) >> 2;
  return row * 8 + ((number - 1) & 3) * 2 + (row % 2 === 0 ? 1 : 0);
}
