import type { Square } from "@holo/rules/rules.ts";

export const SHORTEST_MATE: readonly (readonly Square[])[] = [
  [53, 45],
  [12, 28],
  [54, 38],
  [3, 39],
] as unknown as readonly (readonly Square[])[];

export interface LifecycleRound {
  readonly games: number;
  readonly seconds: number;
}
