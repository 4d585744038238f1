import type { Square } from "@holo/rules/rules.ts";

const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-7, 0],
  End: [7, 0],
};

/** The square that a key leads to, in the direction the player sees; the edge is the end. Null for other keys. */
export function walkSquare(square: Square, key: string, isFlipped: boolean): Square | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  const seen = toSeen(square, isFlipped);
  const column = clamp((seen & 7) + step[0]);
  const row = clamp((seen >> 3) + step[1]);
  return toSeen(row * 8 + column, isFlipped);
}

/** The next of some squares as the player reads the board, after the last comes the first. Null where there is none. */
export function nextSquare(squares: ReadonlySet<Square>, after: Square, isFlipped: boolean): Square | null {
  const seen = [...squares].map((square) => toSeen(square, isFlipped)).sort((a, b) => a - b);
  const from = toSeen(after, isFlipped);
  const next = seen.find((square) => square > from) ?? seen[0];
  return next === undefined ? null : toSeen(next, isFlipped);
}

/** The place of a square on the screen, counted as squares are, and back again. */
export function toSeen(square: Square, isFlipped: boolean): number {
  return isFlipped ? 63 - square : square;
}

/** Where a piece on a square is drawn. */
export function toTransform(square: Square, isFlipped: boolean): string {
  const seen = toSeen(square, isFlipped);
  return `translate(${(seen & 7) * 100}%, ${(seen >> 3) * 100}%)`;
}

function clamp(value: number): number {
  return Math.min(7, Math.max(0, value));
}
