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

export function toEngineUse(figures: readonly MoveFigures[]): EngineUse {
  const sum = (read: (one: MoveFigures) => number) => figures.reduce((total, one) => total + read(one), 0);
  const variance = sum(({ varianceFirst }) => varianceFirst);
  const more = sum(({ realFirst }) => realFirst) - sum(({ expectedFirst }) => expectedFirst);
  const spread = toTypicalSpread(figures);
  return {
    z: variance === 0 ? 0 : more / Math.sqrt(variance),
    real: sum(({ realChoices }) => realChoices),
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
    .filter(({ freeMs, medianMs }) => freeMs.length >= CHOICES_MIN && medianMs !== null && medianMs > 0)
    .map(({ spreadMs, medianMs }) => spreadMs! / medianMs!)
    .toSorted((one, other) => one - other);
  return spreads[Math.floor(spreads.length / 2)] ?? null;
}

/** Stronger players find more. Above and below, too few play to be known. */
const RATINGS = { min: 1_100, middle: 1_500, max: 1_900 };
const MIDDLE_GAP = 0.1;
/** Log odds of the middle, and what they gain per tenfold gap and per 400 points of rating. */
const ODDS = { middle: 0.4, perGap: 0.8, perRating: 0.5 };

/**
 * How often a player of this rating finds the engine's move that leads by `gap`. Generous, so that
 * honest players stay below zero on average.
 */
export function toFirstChance(gap: number, rating: number): number {
  const strength = (Math.min(Math.max(rating, RATINGS.min), RATINGS.max) - RATINGS.middle) / 400;
  const odds = ODDS.middle + ODDS.perGap * Math.log10(gap / MIDDLE_GAP) + ODDS.perRating * strength;
  return 1 / (1 + Math.exp(-odds));
}
