import type { GameType } from "@holo/rules/rules.ts";
import type { Signal } from "../finding.ts";
import type { Edge, PlayedGame } from "./facts.ts";
import { toBinomialTail, toBits, toSpokenBits } from "./tails.ts";

/** A position that is no worse than this is not lost (ruling 55). */
const NOT_LOST_FROM: Readonly<Record<GameType, number>> = { chess: -150, checkers: -100 };
const NOT_LOST_ELSE = -100;
const RATE_MIN = 0.1;
/** Losses at the usual rate that a player's own few are mixed with. */
const USUAL_LOSSES = 10;
/** Cut off or out of time: once to one cluster is bad luck. */
const FORGIVEN_BY_TIME = 1;
const CAP = 8;
/** Nearly all of many games: no honest player does that, so that no other sign is needed. */
const CERTAIN_FROM = 16;
export const CERTAIN_BITS = 12;
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
  const tail = toBinomialTail(thrown, losses, usual);
  return {
    name: "thrown",
    version: 1,
    class: "play",
    bits: isSeries || toBits(tail) < CERTAIN_FROM ? toSpokenBits(tail, isSeries ? SERIES.cap : CAP) : CERTAIN_BITS,
    figures: { thrown, losses, usual },
    threshold: usual,
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
