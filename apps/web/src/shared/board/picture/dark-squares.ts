/** The 32 dark squares as one SVG path on an 8 by 8 viewBox: no seams, and one element. */
export const DARK_SQUARES = Array.from({ length: 64 }, (_, square) => square)
  .filter((square) => ((square >> 3) + (square & 7)) % 2 === 1)
  .map((square) => `M${square & 7} ${square >> 3}h1v1h-1z`)
  .join("");
