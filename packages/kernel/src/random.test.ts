import { expect, test } from "vitest";
import { makeRandom } from "./random.ts";

test("repeats the numbers of a seed and varies them between seeds", () => {
  const [one, again, other] = [makeRandom(7), makeRandom(7), makeRandom(8)];
  const draw = (random: (below: number) => number) => Array.from({ length: 20 }, () => random(1_000));
  const numbers = draw(one);
  expect(draw(again)).toEqual(numbers);
  expect(draw(other)).not.toEqual(numbers);
});

test("draws whole numbers below the bound and reaches every value, also for seed 0", () => {
  const random = makeRandom(0);
  const seen = new Set(Array.from({ length: 2_000 }, () => random(10)));
  expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
