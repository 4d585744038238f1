import { makeRandom } from "@holo/kernel/random.ts";

/** Draws from the distributions of a population. One seed gives one sequence. */
export interface Draw {
  /** From 0 to below 1. */
  unit(): number;
  chance(probability: number): boolean;
  between(from: number, to: number): number;
  whole(from: number, to: number): number;
  normal(mean: number, deviation: number): number;
  lognormal(median: number, sigma: number): number;
  /** Beta(shape, other), by Jöhnk's method. */
  beta(shape: number, other: number): number;
  pick<Value>(values: readonly Value[]): Value;
  weighted<Value>(choices: readonly (readonly [value: Value, weight: number])[]): Value;
  shuffle<Value>(values: readonly Value[]): Value[];
  seed(): number;
  /** A sequence of its own, which what is drawn here does not change. */
  fork(name: string): Draw;
}

const RANGE = 2 ** 30;

export function makeDraw(seed: number): Draw {
  const random = makeRandom(seed);
  for (let warm = 0; warm < 16; warm += 1) random(2);
  const unit = (): number => random(RANGE) / RANGE;
  const draw: Draw = {
    unit,
    chance: (probability) => unit() < probability,
    between: (from, to) => from + unit() * (to - from),
    whole: (from, to) => from + random(to - from + 1),
    normal(mean, deviation) {
      const radius = Math.sqrt(-2 * Math.log(1 - unit()));
      return mean + deviation * radius * Math.cos(2 * Math.PI * unit());
    },
    lognormal: (median, sigma) => median * Math.exp(draw.normal(0, sigma)),
    beta(shape, other) {
      for (;;) {
        const [one, two] = [unit() ** (1 / shape), unit() ** (1 / other)];
        if (one + two <= 1 && one + two > 0) return one / (one + two);
      }
    },
    pick: (values) => values[random(values.length)]!,
    weighted(choices) {
      let left = unit() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices.at(-1)![0];
    },
    shuffle(values) {
      const shuffled = [...values];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = random(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
    seed: () => random(RANGE),
    fork(name) {
      let own = seed;
      for (const letter of name) own = Math.imul(own ^ letter.charCodeAt(0), 0x01000193);
      return makeDraw(own);
    },
  };
  return draw;
}
