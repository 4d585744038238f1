import { expect, test } from "vitest";
import { toPath, toScaleMax } from "./plot-path.ts";

const FRAME = { range: [0, 100], until: 30, isStepped: false, width: 300, height: 200 } as const;
const POINTS = [
  { at: 0, value: 50 },
  { at: 10, value: 100 },
  { at: 20, value: 0 },
];

test("connects the points and holds the last value until now", () => {
  expect(toPath(POINTS, FRAME)).toBe("M0 100L100 0L200 200H300");
});

test("holds each value until the next in a stepped line", () => {
  expect(toPath(POINTS, { ...FRAME, isStepped: true })).toBe("M0 100H100V0H200V200H300");
});

test("never divides by zero for equal instants or equal values", () => {
  const flat = [
    { at: 5, value: 0 },
    { at: 5, value: 0 },
  ];
  expect(toPath(flat, { ...FRAME, range: [0, 0], until: 5 })).toBe("M0 200L0 200H300");
});

test("draws a point ahead of this device's clock at the end", () => {
  expect(toPath(POINTS, { ...FRAME, until: 15 })).toBe("M0 100L150 0L300 200H300");
});

test("rounds the scale up to a readable maximum", () => {
  expect([0, 1, 3, 10, 11, 184.32, 500, 5_001].map(toScaleMax)).toEqual([1, 1, 3, 10, 15, 200, 500, 10_000]);
});
