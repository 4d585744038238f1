import type { Square } from "@holo/rules/rules.ts";

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-7, 0],
  End: [7, 0],
};

/** The square that an arrow key leads to, as the player sees the board. Null for other keys. */
export function stepSquare(square: Square, key: string, isFlipped: boolean): Square | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  const seen = toScreenIndex(square, isFlipped);
  const column = clamp((seen & 7) + step[0]);
  const row = clamp((seen >> 3) + step[1]);
  return toScreenIndex(row * 8 + column, isFlipped);
}

/** The next square in reading order, cyclic. Null if there is none. */
export function nextSquare(squares: ReadonlySet<Square>, after: Square, isFlipped: boolean): Square | null {
  const seen = [...squares].map((square) => toScreenIndex(square, isFlipped)).sort((a, b) => a - b);
  const from = toScreenIndex(after, isFlipped);
  const next = seen.find((square) => square > from) ?? seen[0];
  return next === undefined ? null : toScreenIndex(next, isFlipped);
}

/** Converts a square to its index on the screen, and back. */
export function toScreenIndex(square: Square, isFlipped: boolean): number {
  return isFlipped ? 63 - square : square;
}

export function toTransform(square: Square, isFlipped: boolean): string {
  const seen = toScreenIndex(square, isFlipped);
  return `translate(${(seen & 7) * 100}%, ${(seen >> 3) * 100}%)`;
}

function clamp(value: number): number {
  return Math.min(7, Math.max(0, value));
}
