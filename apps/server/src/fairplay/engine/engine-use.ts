import type { MoveFigures } from "./move-figures.ts";

/** What a player's games say about engine use. */
export interface EngineUse {
  /** By how many standard errors the engine's moves were found more often than equals find them. */
  readonly z: number;
  readonly real: number;
  readonly games: number;
  /** Hard and easy choices took about the same time. */
  readonly flatTimes: boolean;
  /** A typical game's spread of think times as a share of their median. */
  readonly spread: number;
}

/**
 * A case is opened if all are reached. The limit of z is Regan's: one honest player in 30,000
 * reaches it by luck. People usually forfeit from 5 on.
 */
export const ENGINE_USE_LIMITS = { z: 4, games: 5, real: 150, spreadBelow: 0.75 };

/**
 * `equalsRate`: how often players of that rating were seen to find the engine's move in real
 * choices; it counts if it is more than the rating lets expect.
 */
export function toEngineUse(figures: readonly MoveFigures[], equalsRate: number | null = null): EngineUse {
  const sum = (read: (one: MoveFigures) => number) => figures.reduce((total, one) => total + read(one), 0);
  const real = sum(({ realChoices }) => realChoices);
  const byRating = sum(({ expectedFirst }) => expectedFirst);
  const byEquals = real * (equalsRate ?? 0);
  const variance = byEquals > byRating ? byEquals * (1 - equalsRate!) : sum(({ varianceFirst }) => varianceFirst);
  const more = sum(({ realFirst }) => realFirst) - Math.max(byRating, byEquals);
  const spread = toTypicalSpread(figures);
  return {
    z: variance === 0 ? 0 : more / Math.sqrt(variance),
    real,
    games: figures.length,
    flatTimes: spread < ENGINE_USE_LIMITS.spreadBelow,
    spread,
  };
}

/** Whether the figures suffice for a case. Never a proof: people decide. */
export function isEngineUse({ z, real, games, flatTimes }: EngineUse): boolean {
  return z >= ENGINE_USE_LIMITS.z && real >= ENGINE_USE_LIMITS.real && games >= ENGINE_USE_LIMITS.games && flatTimes;
}

/** People's think times spread by about 1.4 medians: long for some moves and none for others. */
function toTypicalSpread(figures: readonly MoveFigures[]): number {
  const spreads = figures
    .filter(({ medianMs }) => medianMs > 0)
    .map(({ spreadMs, medianMs }) => spreadMs / medianMs)
    .toSorted((one, other) => one - other);
  return spreads[Math.floor(spreads.length / 2)] ?? 1;
}
