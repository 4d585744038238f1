import type { GameType } from "@holo/rules/rules.ts";
import type { Signal } from "../finding.ts";
import type { Edge, PlayedGame } from "./facts.ts";
import { toBinomialTail, toSpokenBits } from "./tails.ts";

/** A position that is no worse than this is not lost (ruling 55). */
const NOT_LOST_FROM: Readonly<Record<GameType, number>> = { chess: -150, checkers: -100 };
const NOT_LOST_ELSE = -100;
const RATE_MIN = 0.1;
/** Losses at the usual rate that a player's own few are mixed with. */
const USUAL_LOSSES = 10;
/** Cut off or out of time: so many to one cluster are bad luck. */
const FORGIVEN_BY_TIME = 2;
const CAP = 8;
/** In a long series, a few are bad evenings: honest rates differ from player to player. */
const SERIES = { losses: 16, rateBelow: 0.3, cap: 2 };

export function isThrown({ score, end, game, finalScore }: PlayedGame): boolean {
  const isGivenUp = end === "resignation" || end === "time";
  return score === 0 && isGivenUp && finalScore !== null && finalScore >= (NOT_LOST_FROM[game] ?? NOT_LOST_ELSE);
}

/** Games given up in positions that are not lost, above the rate of the same players elsewhere. */
export function judgeThrown(edge: Edge): Signal {
  const own = count(edge.elsewhere, 0);
  const { thrown, losses } = count(edge.games, FORGIVEN_BY_TIME);
  const isSeries = losses >= SERIES.losses && thrown < SERIES.rateBelow * losses;
  const usual = Math.max(RATE_MIN, (own.thrown + RATE_MIN * USUAL_LOSSES) / (own.losses + USUAL_LOSSES));
  return {
    name: "thrown",
    version: 1,
    class: "play",
    bits: toSpokenBits(toBinomialTail(thrown, losses, usual), isSeries ? SERIES.cap : CAP),
    figures: { thrown, losses, usual },
    threshold: usual,
  };
}

/** Fewer losses clear no one. */
const LONG_FROM = 10;
const CLEARS_MAX = 4;
/** More wins than strength explains are not cleared by a long series. */
const SURPRISE_MAX = 3;
/** How rarely honest players give up: one of this many and one, most of them less. */
const HONEST_SHAPE = 15;

/**
 * A long series that is nearly always played to the end, with results that strength explains, as
 * friends play all night. Half of those who dump give up each game, the others any part of them.
 */
export function judgePlayedOn({ games }: Edge, surprise: number): Signal {
  const { thrown, losses } = count(games, 0);
  const isLong = losses >= LONG_FROM && surprise < SURPRISE_MAX;
  let honest = HONEST_SHAPE / (losses + HONEST_SHAPE);
  for (let one = 0; one < thrown; one += 1) honest *= (losses - one) / (losses + HONEST_SHAPE - 1 - one);
  const dumped = ((thrown === losses ? 1 : 0) + 1 / (losses + 1)) / 2;
  return {
    name: "played_on",
    version: 1,
    class: "play",
    bits: isLong ? Math.min(0, Math.max(-CLEARS_MAX, Math.log2(dumped / honest))) : 0,
    figures: { thrown, losses, surprise },
    threshold: LONG_FROM,
  };
}

function count(games: readonly PlayedGame[], forgiven: number): { readonly thrown: number; readonly losses: number } {
  const judged = games.filter(({ score, end, finalScore }) => score === 0 && (finalScore !== null || !isOpenEnd(end)));
  const thrown = judged.filter(isThrown);
  const lucky = Math.min(forgiven, thrown.filter(({ end }) => end === "time").length);
  return { thrown: thrown.length - lucky, losses: judged.length - lucky };
}

/** Says nothing until an engine has judged the last position. */
function isOpenEnd(end: PlayedGame["end"]): boolean {
  return end === "resignation" || end === "time";
}
