import { formatCoins, toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { JournalEntryView } from "@holo/protocol/game/games.ts";
import { describe, expect, it } from "vitest";
import { formatPosting, formatSum, sumEntries } from "./settlement.ts";

/** A game of checkers at 1 HC a piece that white won. */
const ENTRIES: readonly JournalEntryView[] = [
  stake("1", "white"),
  stake("2", "black"),
  {
    id: "3",
    kind: "win",
    at: 3,
    postings: [
      { holder: "escrow", amount: "-25776000" },
      { holder: "white", amount: "24000000" },
      { holder: "platform", amount: "1776000" },
    ],
  },
];

function stake(id: string, holder: "white" | "black"): JournalEntryView {
  return {
    id,
    kind: "stake",
    at: 1,
    postings: [
      { holder, amount: "-12888000" },
      { holder: "escrow", amount: "12888000" },
    ],
  };
}

describe("a settlement", () => {
  it("sums each holder's change exactly", () => {
    const sums = sumEntries(ENTRIES);
    expect(formatCoins(sums.white, "down", 6)).toBe("11.112000");
    expect(formatCoins(sums.black, "down", 6)).toBe("−12.888000");
    expect(formatCoins(sums.platform, "down", 6)).toBe("1.776000");
  });

  it("rounds both sides of a posting alike, and a player's total down", () => {
    expect(formatPosting(toCoins(12_888_000n), 2)).toBe("+12.89");
    expect(formatPosting(toCoins(-12_888_000n), 2)).toBe("−12.89");
    expect(formatSum("white", toCoins(22_224_000n), 2)).toBe("+22.22");
    expect(formatSum("platform", toCoins(3_552_000n), 2)).toBe("+3.56");
    expect(formatSum("white", toCoins(22_224_000n), 6)).toBe("+22.224000");
    expect(formatSum("escrow", ZERO_COINS, 2)).toBe("0.00");
  });

  it("leaves nothing in escrow", () => {
    expect(sumEntries(ENTRIES).escrow).toBe(0n);
    expect(sumEntries(ENTRIES.slice(0, 2)).escrow).toBe(25_776_000n);
  });
});
