import type { Signal } from "../finding.ts";
import type { Edge, PlayedGame } from "./facts.ts";

const MOVES_MIN = 10;
const PART_BELOW = 0.25;
const BITS = 3;

/** Moves with a choice, made far faster than the same players make them elsewhere. */
export function judgeHaste({ games, elsewhere }: Edge): Signal {
  const here = listTimes(games.filter(({ score }) => score === 0));
  const own = listTimes(elsewhere);
  const [medianMs, ownMedianMs] = [toMedian(here), toMedian(own)];
  const isHasty = here.length >= MOVES_MIN && own.length >= MOVES_MIN && medianMs < ownMedianMs * PART_BELOW;
  return {
    name: "haste",
    version: 1,
    class: "play",
    bits: isHasty ? BITS : 0,
    figures: { medianMs, ownMedianMs, moves: here.length },
    threshold: ownMedianMs * PART_BELOW,
  };
}

function listTimes(games: readonly PlayedGame[]): readonly number[] {
  return games.flatMap(({ own }) => own?.freeMs ?? []);
}

function toMedian(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
