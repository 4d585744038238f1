import type { Signal } from "../finding.ts";
import type { Edge, PlayedGame } from "./facts.ts";
import { toBinomialTail, toBits } from "./tails.ts";

/** Choices at the usual rate that a player's own few are mixed with: beginners err often. */
const USUAL = { rate: 0.12, choices: 50 };
/** Errors follow each other: a bad position brings the next. */
const OF_MOVES_APART = 0.5;
const SPEAKS_FROM = 2;
const CAP = 4;

/** Moves that cost a quarter of the game, above the rate of the same players elsewhere. */
export function judgeErrors({ games, elsewhere }: Edge): Signal {
  const here = sum(games.filter(({ score }) => score === 0));
  const own = sum(elsewhere);
  const usual = (own.errors + USUAL.rate * USUAL.choices) / (own.choices + USUAL.choices);
  const bits = OF_MOVES_APART * toBits(toBinomialTail(here.errors, here.choices, usual));
  return {
    name: "errors",
    version: 1,
    class: "play",
    bits: bits < SPEAKS_FROM ? 0 : Math.min(CAP, bits),
    figures: { ...here, usual },
    threshold: usual,
  };
}

function sum(games: readonly PlayedGame[]): { readonly errors: number; readonly choices: number } {
  return {
    errors: games.reduce((total, { own }) => total + (own?.errors ?? 0), 0),
    choices: games.reduce((total, { own }) => total + (own?.choices ?? 0), 0),
  };
}
