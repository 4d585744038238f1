import { describe, expect, it } from "vitest";
import { formatLimit, formatWish, parseChoice, toBreakEnd, toChoices, toLongerTerms } from "./limits-text.ts";

describe("a limit", () => {
  it("is told in naira, holocoins or minutes", () => {
    expect(formatLimit("depositWeek", 2_000_000)).toBe("₦20,000");
    expect(formatLimit("depositDay", 0)).toBe("No deposits");
    expect(formatLimit("stake", 5)).toBe("5 HC");
    expect(formatLimit("session", 60)).toBe("Every 60 min");
    expect(formatLimit("session", null)).toBe("No reminder");
    expect(formatLimit("stake", null)).toBe("No limit");
  });

  it("offers what holds in its place, once, and none last", () => {
    const texts = toChoices("depositDay", 700_000).map(({ text }) => text);
    expect(texts.slice(0, 4)).toEqual(["No deposits", "₦5,000", "₦7,000", "₦10,000"]);
    expect(texts.at(-1)).toBe("No limit");
    expect(toChoices("stake", 5)).toHaveLength(5);
  });

  it("says before it is set when it will hold: a lower one at once, for a day at least", () => {
    for (const [value, wished] of [
      [null, 500_000],
      [1_000_000, 0],
    ] as const) {
      expect(formatWish(value, wished)).toBe("Holds at once. To raise it again takes 24 hours.");
    }
    for (const [value, wished] of [
      [500_000, 1_000_000],
      [0, null],
    ] as const) {
      expect(formatWish(value, wished)).toBe("Holds 24 hours after you set it.");
    }
  });

  it("is read back as it was offered", () => {
    for (const { value } of toChoices("session", 45))
      expect([null, 30, 45, 60, 90, 120, 180]).toContain(parseChoice(value));
  });
});

describe("a break", () => {
  it("can be followed by one that ends later, and by no shorter one", () => {
    expect(toLongerTerms(null, 0)).toEqual(["day", "week", "month", "half_year"]);
    expect(toLongerTerms(toBreakEnd("week", 0), 1)).toEqual(["week", "month", "half_year"]);
    expect(toLongerTerms(toBreakEnd("week", 0), 0)).toEqual(["month", "half_year"]);
    expect(toLongerTerms(toBreakEnd("half_year", 0), 0)).toEqual([]);
  });
});
