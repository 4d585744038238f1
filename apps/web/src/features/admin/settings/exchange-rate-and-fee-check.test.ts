import { describe, expect, it } from "vitest";
import { parsePercent, parseSettings } from "./exchange-rate-and-fee-check.ts";

const NOW = { rateKobo: 30_600, feeBps: 740 };

describe("exchange rate and platform fee as typed", () => {
  it("are parsed to the kobo and the basis point", () => {
    expect(parseSettings({ rate: "1,306.50", fee: "7.45%" }, NOW)).toEqual({
      ok: true,
      value: { rateKobo: 130_650, feeBps: 745 },
    });
    expect(parseSettings({ rate: "306", fee: "0" }, NOW)).toMatchObject({ ok: true, value: { feeBps: 0 } });
  });

  it("name the invalid field", () => {
    expect(parseSettings({ rate: "0", fee: "7.4" }, NOW)).toMatchObject({ refusal: { field: "rate" } });
    expect(parseSettings({ rate: "306.505", fee: "x" }, NOW)).toMatchObject({ refusal: { field: "rate" } });
    expect(parseSettings({ rate: "310", fee: "7.405" }, NOW)).toMatchObject({ refusal: { field: "fee" } });
  });

  it("are refused where nothing changes", () => {
    expect(parseSettings({ rate: "₦306.00", fee: "7.40" }, NOW)).toMatchObject({
      refusal: { field: "rate", text: "That's the current value" },
    });
  });
});

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
