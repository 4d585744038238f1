import type { MoveFigures } from "../engine/move-figures.ts";
import type { Signal } from "../finding.ts";
import type { PlayedGame } from "./facts.ts";

/** Standard errors above what equals find. From 5 on, people usually forfeit. */
const SURPRISE_FROM = 4;
const GAMES_MIN = 5;
const CHOICES_MIN = 150;
/** People take long for some moves and none for others. */
const SPREAD_BELOW = 0.75;
/** Of a normal tail: surprise² / 2, in bits. */
const TO_BITS = Math.LOG2E / 2;
const CAP = 20;

/** Moves that only a program finds so often, at an even pace. */
export function judgeEngineUse(games: readonly PlayedGame[]): Signal {
  const figures = games.flatMap(({ own }) => own ?? []);
  const sum = (pick: (of: MoveFigures) => number) => figures.reduce((total, one) => total + pick(one), 0);
  const choices = sum((one) => one.realChoices);
  const surprise =
    (sum((one) => one.realFirst) - sum((one) => one.expectedFirst)) / Math.sqrt(sum((one) => one.varianceFirst) || 1);
  const paces = figures.filter(({ medianMs }) => medianMs > 0).map(({ spreadMs, medianMs }) => spreadMs / medianMs);
  const spread = paces.toSorted((one, other) => one - other)[Math.floor(paces.length / 2)] ?? 1;
  const isEnough = figures.length >= GAMES_MIN && choices >= CHOICES_MIN;
  const isSuspicious = isEnough && surprise >= SURPRISE_FROM && spread < SPREAD_BELOW;
  return {
    name: "engine_use",
    version: 1,
    class: "engine",
    bits: isSuspicious ? Math.min(CAP, surprise ** 2 * TO_BITS) : 0,
    figures: { surprise, games: figures.length, choices, spread },
    threshold: SURPRISE_FROM,
  };
}

/** Too few moves are judged to tell, and those point to a program. */
export function needsMoreMoves({ bits, figures: { surprise = 0, choices = 0 } }: Signal): boolean {
  return bits === 0 && surprise >= SURPRISE_FROM / 2 && choices < CHOICES_MIN;
}
