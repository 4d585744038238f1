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
  /** That were compared, and how many prove anything. */
  readonly choices: number;
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

/** Of the median think time. People's spread by about 1.4 medians: some moves take long. */
export const EVEN_BELOW = 0.5;

/** Real choices show it in chess, and all choices beside those of equals in draughts. */
export function toEngineUse(figures: readonly MoveFigures[], equals: Equals | null = null): EngineUse {
  const even = figures.filter(({ choices, medianMs, spreadMs }) => choices > 0 && spreadMs < EVEN_BELOW * medianMs);
  const real = compareReal(even, equals?.realRate ?? 0);
  const all = equals?.shares == null ? null : compareShares(even, equals.shares);
  return { ...(all !== null && all.z > real.z ? all : real), games: even.length };
}

type Compared = Omit<EngineUse, "games">;

/** `equalsRate` counts if it is more than the rating lets expect. */
function compareReal(even: readonly MoveFigures[], equalsRate: number): Compared {
  const sum = (read: (one: MoveFigures) => number) => even.reduce((total, one) => total + read(one), 0);
  const choices = sum(({ realChoices }) => realChoices);
  const byRating = sum(({ expectedFirst }) => expectedFirst);
  const byEquals = choices * equalsRate;
  const variance = byEquals > byRating ? byEquals * (1 - equalsRate) : sum(({ varianceFirst }) => varianceFirst);
  const more = sum(({ realFirst }) => realFirst) - Math.max(byRating, byEquals);
  return { z: variance === 0 ? 0 : more / Math.sqrt(variance), choices, choicesMin: CHOICES_MIN.real };
}

/** Game by game, because the choices of one game are much alike. */
function compareShares(
  even: readonly MoveFigures[],
  { games, mean, deviation }: NonNullable<Equals["shares"]>,
): Compared {
  const choices = even.reduce((total, one) => total + one.choices, 0);
  const share = even.reduce((total, one) => total + one.firstChoices / one.choices, 0) / even.length;
  const error = deviation * Math.sqrt(1 / even.length + 1 / games);
  return { z: even.length === 0 || error === 0 ? 0 : (share - mean) / error, choices, choicesMin: CHOICES_MIN.all };
}

/** Whether the figures suffice for a case. Never a proof: people decide. */
export function isEngineUse({ z, choices, choicesMin, games }: EngineUse): boolean {
  return z >= ENGINE_USE_LIMITS.z && choices >= choicesMin && games >= ENGINE_USE_LIMITS.games;
}
