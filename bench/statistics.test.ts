import { expect, test } from "vitest";
import { median, quantile } from "./statistics.ts";

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
