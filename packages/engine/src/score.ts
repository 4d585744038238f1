/** The score of a won game. One that is won in n plies scores WIN - n. */
export const WIN = 100_000;
export const DRAW = 0;
/** Plies that a search may look ahead, forced moves included. */
export const PLIES_MAX = 96;

/** Whether the score is a forced win or loss. */
export function isForced(score: number): boolean {
  return Math.abs(score) >= WIN - 2 * PLIES_MAX;
}
