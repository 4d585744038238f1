import type { MoveFigures } from "./move-figures.ts";

/** What a player's games say about engine use. */
export interface EngineUse {
  /** By how many standard errors the engine's moves were found more often than equals find them. */
  readonly z: number;
  readonly real: number;
  readonly games: number;
  /** Hard and easy choices took about the same time. */
  readonly flatTimes: boolean;
  /** A typical game's spread of think times as a share of their median; null without times. */
  readonly spread: number | null;
}

/**
 * A case is opened from `z` on, with all of the rest; coins may be forfeited from `forfeitZ` on.
 * The limit of z is Regan's: about one honest player in 30,000 reaches it by luck.
 */
export const ENGINE_USE_LIMITS = { z: 4, forfeitZ: 5, games: 5, real: 150, spread: 0.6 };

/**
 * Games of one kind, with our figures of their player. `equalsRate`: the share of real choices in
 * which players of that rating were seen to find the engine's move; it counts if it is higher than
 * what the rating lets expect.
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
    flatTimes: spread !== null && spread <= ENGINE_USE_LIMITS.spread,
    spread,
  };
}

/** Whether the figures suffice for a case. Never a proof: people decide. */
export function isEngineUse({ z, real, games, flatTimes }: EngineUse): boolean {
  return z >= ENGINE_USE_LIMITS.z && real >= ENGINE_USE_LIMITS.real && games >= ENGINE_USE_LIMITS.games && flatTimes;
}

/** Fewer times of a game say nothing about their spread. */
const CHOICES_MIN = 8;

/** People's think times spread by about 1.4 medians, and by 0.7 where they hurry. */
function toTypicalSpread(figures: readonly MoveFigures[]): number | null {
  const spreads = figures
    .filter(({ freeMs, medianMs }) => freeMs.length >= CHOICES_MIN && medianMs > 0)
    .map(({ spreadMs, medianMs }) => spreadMs / medianMs)
    .toSorted((one, other) => one - other);
  return spreads[Math.floor(spreads.length / 2)] ?? null;
}
