import type { MoveFigures } from "./move-figures.ts";

/** What players about as strong were seen to find, in games that chance has chosen. */
export interface Equals {
  /** Of real choices; null: too few are known. */
  readonly realRate: number | null;
  /** Of all choices, game by game; null: too few are known. */
  readonly shares: { readonly games: number; readonly mean: number; readonly deviation: number } | null;
}

/** What a player's games at an even pace say about engine use. */
export interface EngineUse {
  /** By how many standard errors the engine's moves were found more often than equals find them. */
  readonly z: number;
  /** How many choices were compared. */
  readonly choices: number;
  /** How many it takes for a case. */
  readonly choicesMin: number;
  /** At an even pace; others are left out. Moves looked up in some games only are seen in those. */
  readonly games: number;
}

/**
 * A case is opened if all are reached. The limit of z is Regan's: one honest player in 30,000
 * reaches it by luck. People usually forfeit from 5 on.
 */
export const ENGINE_USE_LIMITS = { z: 4, games: 5 };
/** One choice in four is a real one. */
const CHOICES_MIN = { real: 40, all: 100 };
/** The share of the engine's moves in a shorter game is mostly chance. */
export const GAME_CHOICES_MIN = 5;

/** Of the median think time. People's spread by about 1.4 medians: some moves take long. */
export const EVEN_BELOW = 0.5;

/** The clearer of two comparisons: real choices tell more in chess, all choices in draughts. */
export function toEngineUse(figures: readonly MoveFigures[], equals: Equals | null = null): EngineUse {
  const even = figures.filter(({ medianMs, spreadMs }) => spreadMs < EVEN_BELOW * medianMs);
  const real = compareReal(even, equals?.realRate ?? 0);
  const all = equals?.shares == null ? null : compareShares(even, equals.shares);
  return all !== null && all.z > real.z ? all : real;
}

/** `equalsRate` counts if it is more than the rating lets expect. */
function compareReal(even: readonly MoveFigures[], equalsRate: number): EngineUse {
  const sum = (read: (one: MoveFigures) => number) => even.reduce((total, one) => total + read(one), 0);
  const choices = sum(({ realChoices }) => realChoices);
  const byRating = sum(({ expectedFirst }) => expectedFirst);
  const byEquals = choices * equalsRate;
  const variance = byEquals > byRating ? byEquals * (1 - equalsRate) : sum(({ varianceFirst }) => varianceFirst);
  const more = sum(({ realFirst }) => realFirst) - Math.max(byRating, byEquals);
  const z = variance === 0 ? 0 : more / Math.sqrt(variance);
  return { z, choices, choicesMin: CHOICES_MIN.real, games: even.length };
}

/** Game by game, because the choices of one game are much alike. */
function compareShares(even: readonly MoveFigures[], equals: NonNullable<Equals["shares"]>): EngineUse {
  const own = even.filter((one) => one.choices >= GAME_CHOICES_MIN);
  const games = own.length;
  const choices = own.reduce((total, one) => total + one.choices, 0);
  const share = own.reduce((total, one) => total + one.firstChoices / one.choices, 0) / games;
  const error = equals.deviation * Math.sqrt(1 / games + 1 / equals.games);
  const z = games === 0 || error === 0 ? 0 : (share - equals.mean) / error;
  return { z, choices, choicesMin: CHOICES_MIN.all, games };
}

/** Whether the figures suffice for a case. Never a proof: people decide. */
export function isEngineUse({ z, choices, choicesMin, games }: EngineUse): boolean {
  return z >= ENGINE_USE_LIMITS.z && choices >= choicesMin && games >= ENGINE_USE_LIMITS.games;
}
