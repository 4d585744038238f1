import type { GameType } from "@holo/rules/rules.ts";
import type { JudgedMove } from "./judge-moves.ts";

/** One side of a game, judged move by move. Moves that were taken back do not count. */
export interface MoveFigures {
  /** The player's before the game. */
  readonly rating: number;
  readonly moves: number;
  /** Moves with more than one legal choice. */
  readonly choices: number;
  /** Moves that lost a good part of the expected score: in chess 15 %, else a quarter. */
  readonly errors: number;
  /** The expected score that all moves lost together. */
  readonly lost: number;
  /** Choices that equal the engine's. */
  readonly firstChoices: number;
  /** Choices in which the engine's move clearly beats all others, and not trivially. */
  readonly realChoices: number;
  /** Real choices that equal the engine's; what its equals make on average, and its variance. */
  readonly realFirst: number;
  readonly expectedFirst: number;
  readonly varianceFirst: number;
  /** Think times of choices, without network time, in order, and without the first move's. */
  readonly freeMs: readonly number[];
  /** Both are 0 without such a choice. */
  readonly medianMs: number;
  /** The middle half of the think times spans this. */
  readonly spreadMs: number;
}

export interface GameEvaluation {
  readonly engine: string;
  /** By ply: white's, in hundredths, before the first move and after each. */
  readonly scores: readonly number[];
}

/** Chess is lost in smaller steps than draughts. */
const ERROR_FROM: Readonly<Record<GameType, number>> = { chess: 0.15, checkers: 0.25 };
const ERROR_FROM_ELSE = 0.25;
/** Enough for a habit, and few enough for a row. */
const TIMES_MAX = 100;

export function toMoveFigures(
  moves: readonly (JudgedMove & { readonly thinkMs: number })[],
  rating: number,
  game: GameType,
): MoveFigures {
  const choices = moves.filter((move) => move.choices > 1);
  const real = choices.filter((move) => move.gap !== null);
  const chances = real.map(({ gap }) => toFirstChance(gap!, rating));
  // No clock runs during the first move, so its time is unknown.
  const timed = choices.filter((move) => move !== moves[0]);
  const freeMs = timed.slice(0, TIMES_MAX).map(({ thinkMs }) => thinkMs);
  const sorted = freeMs.toSorted((one, other) => one - other);
  return {
    rating: Math.round(rating),
    moves: moves.length,
    choices: choices.length,
    errors: moves.filter(({ lost }) => lost >= (ERROR_FROM[game] ?? ERROR_FROM_ELSE)).length,
    lost: round(sum(moves.map(({ lost }) => lost))),
    firstChoices: choices.filter(({ isFirst }) => isFirst).length,
    realChoices: real.length,
    realFirst: real.filter(({ isFirst }) => isFirst).length,
    expectedFirst: round(sum(chances)),
    varianceFirst: round(sum(chances.map((chance) => chance * (1 - chance)))),
    freeMs,
    medianMs: quantile(sorted, 0.5),
    spreadMs: quantile(sorted, 0.75) - quantile(sorted, 0.25),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * sorted.length)] ?? 0;
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
