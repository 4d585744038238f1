import type { MoveFigures } from "./move-figures.ts";

/** What a player's games at an even pace say about engine use. */
export interface EngineUse {
  /** By how many standard errors the engine's moves were found more often than equals find them. */
  readonly z: number;
  readonly real: number;
  /** At an even pace; others are left out. Moves looked up in some games only are seen in those. */
  readonly games: number;
}

/**
 * A case is opened if all are reached. The limit of z is Regan's: one honest player in 30,000
 * reaches it by luck. People usually forfeit from 5 on. One choice in four is a real one.
 */
export const ENGINE_USE_LIMITS = { z: 4, games: 5, real: 40 };

/** Of the median think time. People's spread by about 1.4 medians: some moves take long. */
const EVEN_BELOW = 0.5;

/**
 * `equalsRate`: how often players of that rating were seen to find the engine's move in real
 * choices; it counts if it is more than the rating lets expect.
 */
export function toEngineUse(figures: readonly MoveFigures[], equalsRate: number | null = null): EngineUse {
  const even = figures.filter(({ medianMs, spreadMs }) => spreadMs < EVEN_BELOW * medianMs);
  const sum = (read: (one: MoveFigures) => number) => even.reduce((total, one) => total + read(one), 0);
  const real = sum(({ realChoices }) => realChoices);
  const byRating = sum(({ expectedFirst }) => expectedFirst);
  const byEquals = real * (equalsRate ?? 0);
  const variance = byEquals > byRating ? byEquals * (1 - equalsRate!) : sum(({ varianceFirst }) => varianceFirst);
  const more = sum(({ realFirst }) => realFirst) - Math.max(byRating, byEquals);
  return { z: variance === 0 ? 0 : more / Math.sqrt(variance), real, games: even.length };
}

/** Whether the figures suffice for a case. Never a proof: people decide. */
export function isEngineUse({ z, real, games }: EngineUse): boolean {
  return z >= ENGINE_USE_LIMITS.z && real >= ENGINE_USE_LIMITS.real && games >= ENGINE_USE_LIMITS.games;
}
