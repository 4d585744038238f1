import { describe, expect, it } from "vitest";
import {
  formatLimit,
  formatLimitChange,
  listLongerTerms,
  parseLimitChoice,
  toExclusionEnd,
  toLimitChoices,
} from "./restriction-text.ts";

describe("a limit", () => {
  it("is formatted in naira, holocoins or minutes", () => {
    expect(formatLimit("depositWeek", 2_000_000)).toBe("₦20,000");
    expect(formatLimit("depositDay", 0)).toBe("No deposits");
    expect(formatLimit("stake", 5)).toBe("5 HC");
    expect(formatLimit("session", 60)).toBe("Every 60 min");
    expect(formatLimit("session", null)).toBe("No reminder");
    expect(formatLimit("stake", null)).toBe("No limit");
  });

  it("lists the current value once in order and no limit last", () => {
    const texts = toLimitChoices("depositDay", 700_000).map(({ text }) => text);
    expect(texts.slice(0, 4)).toEqual(["No deposits", "₦5,000", "₦7,000", "₦10,000"]);
    expect(texts.at(-1)).toBe("No limit");
    expect(toLimitChoices("stake", 5)).toHaveLength(5);
  });

  it("states when a change takes effect: lower at once, higher after 24 hours", () => {
    for (const [value, chosen] of [
      [null, 500_000],
      [1_000_000, 0],
    ] as const) {
      expect(formatLimitChange(value, chosen)).toBe("Takes effect now. Raising it again takes 24 hours.");
    }
    for (const [value, chosen] of [
      [500_000, 1_000_000],
      [0, null],
    ] as const) {
      expect(formatLimitChange(value, chosen)).toBe("Takes effect after 24 hours.");
    }
  });

  it("parses every offered choice", () => {
    for (const { value } of toLimitChoices("session", 45))
      expect([null, 30, 45, 60, 90, 120, 180]).toContain(parseLimitChoice(value));
  });
});

describe("a self-exclusion", () => {
  it("can be replaced only by one that ends later", () => {
    expect(listLongerTerms(null, 0)).toEqual(["day", "week", "month", "half_year"]);
    expect(listLongerTerms(toExclusionEnd("week", 0), 1)).toEqual(["week", "month", "half_year"]);
    expect(listLongerTerms(toExclusionEnd("week", 0), 0)).toEqual(["month", "half_year"]);
    expect(listLongerTerms(toExclusionEnd("half_year", 0), 0)).toEqual([]);
  });
});
