import { type Kobo, toCoins, toKoboOwed, wholeCoins } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { formatApproximateNaira, formatNaira, formatPercent, formatRate } from "./naira.ts";

describe("naira", () => {
  // [CONST-11 §9] The coin's sign is HC, the currency's ₦.
  it("shows kobo only where needed [CONST-11]", () => {
    expect(formatNaira(2_000_000n as Kobo)).toBe("₦20,000");
    expect(formatNaira(1_971_864n as Kobo)).toBe("₦19,718.64");
    expect(formatNaira(5n as Kobo)).toBe("₦0.05");
  });

  it("are exact for a buy-in", () => {
    expect(formatNaira(toKoboOwed(toCoins(64_440_000n), 30_600))).toBe("₦19,718.64");
    expect(toKoboOwed(wholeCoins(1), 30_600)).toBe(30_600n);
  });

  it("round a fraction of a kobo up", () => {
    expect(toKoboOwed(toCoins(1n), 30_600)).toBe(1n);
  });

  // [GAME-14 §2 r6] The result leads with what the game changed in the wallet, in coins and about in naira: a draw at
  // 1 HC in checkers shows '−0.89 HC (about ₦272)'.
  it("are rounded to three digits where they are only a comparison [GAME-14]", () => {
    expect(formatApproximateNaira(toCoins(111_120_000n), 30_600)).toBe("₦34,000");
    expect(formatApproximateNaira(toCoins(-128_880_000n), 30_600)).toBe("₦39,400");
    expect(formatApproximateNaira(wholeCoins(24), 30_600)).toBe("₦7,340");
    expect(formatApproximateNaira(toCoins(-888_000n), 30_600)).toBe("₦272");
    expect(formatApproximateNaira(toCoins(0n), 30_600)).toBe("₦0");
  });

  it("formats the exchange rate", () => {
    expect(formatRate(30_600)).toBe("1 Holocoin = ₦306");
    expect(formatRate(30_650)).toBe("1 Holocoin = ₦306.50");
  });
});

describe("a percentage", () => {
  it("has no trailing zeros", () => {
    expect(formatPercent(740)).toBe("7.4%");
    expect(formatPercent(800)).toBe("8%");
    expect(formatPercent(0)).toBe("0%");
    expect(formatPercent(725)).toBe("7.25%");
  });
});
