import { describe, expect, test } from "vitest";
import { formatClock } from "./pgn-pdn.ts";
import { parseClock } from "./testing/notation-reader.ts";

describe("formats a clock", () => {
  test.each([
    [0, "[%clk 0:00:00]", "[%clk 0:00:00]"],
    [99, "[%clk 0:00:00]", "[%clk 0:00:00]"],
    [100, "[%clk 0:00:00.1]", "[%clk 0:00:00]"],
    [59_999, "[%clk 0:00:59.9]", "[%clk 0:00:59]"],
    [60_000, "[%clk 0:01:00]", "[%clk 0:01:00]"],
    [299_399, "[%clk 0:04:59.3]", "[%clk 0:04:59]"],
    [3_600_000, "[%clk 1:00:00]", "[%clk 1:00:00]"],
    [36_061_050, "[%clk 10:01:01]", "[%clk 10:01:01]"],
  ])("%d ms as %s, or in seconds as %s", (ms, tenths, seconds) => {
    expect(formatClock(ms, "tenth")).toBe(tenths);
    expect(formatClock(ms, "second")).toBe(seconds);
  });
});

describe("parses a clock", () => {
  test.each([
    ["[%clk 0:04:59]", 299_000],
    ["[%clk 0:04:59.3]", 299_300],
    ["[%clk 0:04:59,3]", 299_300],
    ["[%clk 0:04:59.123]", 299_123],
    ["[%clk 1:0:5]", 3_605_000],
    ["[%clk 4:59]", 299_000],
    ["a move [%eval -0.3]\n[%clk  0:00:07 ] and more", 7_000],
    ["[%clock 0:49:11]", 2_951_000],
  ])("in %j as %d ms for either colour", (comment, ms) => {
    expect(parseClock(comment, 1)).toBe(ms);
    expect(parseClock(comment, 2)).toBe(ms);
  });

  test.each([
    ["[%clock w0:10:00 B0:09:58]", 600_000, 598_000],
    ["[%clock W0:10:00 b0:09:58]", 600_000, 598_000],
    ["[%clock b0:09:58 W0:10:00]", 600_000, 598_000],
    ["[%clock w0:10:00B0:09:58]", 600_000, 598_000],
    ["[%clock w0:10:00]", 600_000, null],
  ])("in %j by the mover's colour", (comment, white, black) => {
    expect(parseClock(comment, 1)).toBe(white);
    expect(parseClock(comment, 2)).toBe(black);
  });

  test.each([
    "",
    "clk 0:04:59",
    "[%clk]",
    "[%clk soon]",
    "[%clk 5]",
    "[%clk 0:00:00:05]",
    "[%clk -0:00:05]",
    "[%clk 9999:00:00]",
    "[%clk 0:04:59.]",
    "[%emt 0:00:05]",
    "[%clock w]",
  ])("in %j nowhere", (comment) => {
    expect(parseClock(comment, 1)).toBeNull();
  });
});

test("scans a long comment without a clock once", () => {
  for (const text of ["[%clk ", "[%clock 1", "[%clock w1 B", "1", "[%clk 1 "])
    expect(parseClock(`[%clock ${text.repeat(50_000)}`, 1)).toBeNull();
});
