import { makeRandom } from "@holo/kernel/random.ts";
import { expect, test } from "vitest";
import { certainExcess, median, quantile } from "./statistics.ts";

test("takes the middle value as the median, or the mean of the two", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 6])).toBe(5.5);
  expect(median([])).toBeNaN();
});

test("takes a quantile by nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(quantile(hundred, 0)).toBe(1);
  expect(quantile(hundred, 0.5)).toBe(51);
  expect(quantile(hundred, 0.99)).toBe(100);
  expect(quantile(hundred, 1)).toBe(100);
  expect(quantile([], 0.5)).toBeNaN();
});

test("finds no certain excess between samples of one distribution, and finds a real one", () => {
  const draw = (seed: number, shift: number): number[] => {
    const random = makeRandom(seed);
    return Array.from({ length: 200 }, () => random(1_000) + shift);
  };
  const equal = Array.from({ length: 8 }, (_, seed) => certainExcess(draw(seed, 0), draw(seed + 100, 0), 0.9));
  expect(equal.filter((excess) => excess > 0).length).toBeLessThanOrEqual(1);
  const shifted = certainExcess(draw(1, 200), draw(2, 0), 0.9);
  expect(shifted).toBeGreaterThan(100);
  expect(shifted).toBeLessThan(250);
  expect(certainExcess([], [1], 0.9)).toBeNaN();
});
