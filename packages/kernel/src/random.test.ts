import { expect, test } from "vitest";
import { makeRandom } from "./random.ts";

test("the same seed gives the same numbers, another seed others", () => {
  const [one, again, other] = [makeRandom(7), makeRandom(7), makeRandom(8)];
  const draw = (random: (below: number) => number) => Array.from({ length: 20 }, () => random(1_000));
  const numbers = draw(one);
  expect(draw(again)).toEqual(numbers);
  expect(draw(other)).not.toEqual(numbers);
});

test("numbers are whole, below their bound, and reach every value, for the seed 0 as well", () => {
  const random = makeRandom(0);
  const seen = new Set(Array.from({ length: 2_000 }, () => random(10)));
  expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
