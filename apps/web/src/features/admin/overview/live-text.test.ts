import { expect, test } from "vitest";
import {
  formatConnections,
  formatCount,
  formatMemory,
  formatMoveTime,
  formatRate,
  formatServers,
} from "./live-text.ts";

test("shows a dash for an unknown figure", () => {
  for (const format of [formatCount, formatRate, formatMoveTime, formatMemory]) {
    expect([format(null), format(undefined)]).toEqual(["–", "–"]);
    expect(format(0)).toMatch(/^0/);
  }
});

test.each([
  [0.02, "under 0.1"],
  [0.1, "0.1"],
  [3, "3.0"],
  [1_234.56, "1,234.6"],
])("%s moves per second are %s", (perSecond, text) => {
  expect(formatRate(perSecond)).toBe(text);
});

test.each([
  [0.84, "0.8 ms"],
  [9.5, "9.5 ms"],
  [23.4, "23 ms"],
  [1_500, "1.5 s"],
])("%s ms are %s", (ms, text) => {
  expect(formatMoveTime(ms)).toBe(text);
});

test("names the servers that are covered", () => {
  expect([1, 2, undefined].map(formatServers)).toEqual(["1 server", "2 servers", "– servers"]);
});

test("uses the singular for one connection", () => {
  expect([1, 0, 1_200].map(formatConnections)).toEqual(["1 connection", "0 connections", "1,200 connections"]);
});

test("shows memory in megabytes", () => {
  expect(formatMemory(143_600_000)).toBe("144 MB");
});
