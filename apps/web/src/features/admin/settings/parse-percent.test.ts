import { describe, expect, it } from "vitest";
import { parsePercent } from "./parse-percent.ts";

describe("a percentage as typed", () => {
  it.each([
    ["7.4", 740],
    ["7.40 %", 740],
    [" 0.05%", 5],
    ["12", 1_200],
    ["7.", 700],
    ["0", 0],
    ["100", 10_000],
  ])("%s is %d basis points", (text, basisPoints) => {
    expect(parsePercent(text)).toEqual({ ok: true, value: basisPoints });
  });

  it.each(["", "7,4", "-1", "7.405", "1e2", ".5", "NaN", "7.4 %%", "1000"])("refuses %j", (text) => {
    expect(parsePercent(text).ok).toBe(false);
  });
});
