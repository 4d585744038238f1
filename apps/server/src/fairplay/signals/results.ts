import type { Signal } from "../finding.ts";
import type { Encounter } from "./facts.ts";
import { sumFrom, toBinomial, toBits } from "./tails.ts";

const CAP = 5;
/** Of many opponents, those who lost the most are looked at: so much for each of them. */
const CHOSEN_BITS = 2;
/** Standard errors on both sides, in steps, over which a difference of strength is integrated. */
const REACH = 4;
const STEP = 0.25;
const SCALE = 400 / Math.LN10;

/** Wins that the strengths of both, learned elsewhere, do not explain. Clears coach and pupil. */
export function judgeResults(encounters: readonly Encounter[]): Signal {
  const won = encounters.reduce((sum, one) => sum + one.won, 0);
  const games = encounters.reduce((sum, one) => sum + one.won + one.lost, 0);
  const chances = encounters.map(toChances).reduce(convolve, [1]);
  const expected = chances.reduce((sum, chance, count) => sum + chance * count, 0);
  const surprise = toBits(sumFrom(chances, won));
  return {
    name: "results",
    version: 1,
    class: "play",
    bits: Math.min(CAP, Math.max(0, surprise - CHOSEN_BITS * Math.max(1, encounters.length))),
    figures: { won, games, expected, surprise },
    threshold: expected,
  };
}

/** How likely each number of wins is. A strength that is hardly known explains much. */
function toChances({ winner, loser, won, lost }: Encounter): readonly number[] {
  const games = won + lost;
  const deviation = Math.hypot(winner.deviation, loser.deviation);
  const whole = new Array<number>(games + 1).fill(0);
  let weights = 0;
  for (let away = -REACH; away <= REACH; away += STEP) {
    const weight = Math.exp(-(away ** 2) / 2);
    const difference = winner.rating - loser.rating + away * deviation;
    const chances = toBinomial(games, 1 / (1 + Math.exp(-difference / SCALE)));
    for (const [count, chance] of chances.entries()) whole[count]! += weight * chance;
    weights += weight;
  }
  return whole.map((chance) => chance / weights);
}

function convolve(one: readonly number[], other: readonly number[]): readonly number[] {
  const both = new Array<number>(one.length + other.length - 1).fill(0);
  for (const [a, chanceA] of one.entries())
    for (const [b, chanceB] of other.entries()) both[a + b]! += chanceA * chanceB;
  return both;
}
