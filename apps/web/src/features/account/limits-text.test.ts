import { describe, expect, it } from "vitest";
import { formatLimit, parseChoice, toBreakEnd, toChoices, toLongerTerms } from "./limits-text.ts";

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
