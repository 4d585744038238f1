import type { Square } from "@holo/rules/rules.ts";

/** The shortest mate at chess, as paths: three moves and one that ends the game. */
export const SHORTEST_MATE: readonly (readonly Square[])[] = [
  [53, 45],
  [12, 28],
  [54, 38],
  [3, 39],
] as unknown as readonly (readonly Square[])[];

/** What a round of games took. */
export interface LifecycleRound {
  readonly games: number;
  readonly seconds: number;
}
