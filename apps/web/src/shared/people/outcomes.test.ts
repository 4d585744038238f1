import { describe, expect, it } from "vitest";
import { addOutcomes, countGames, formatWinRate } from "./outcomes.ts";

describe("a player's outcomes", () => {
  it("add up over both games", () => {
    const all = addOutcomes([
      { wins: 3, losses: 2, draws: 1 },
      { wins: 1, losses: 0, draws: 4 },
    ]);
    expect(all).toEqual({ wins: 4, losses: 2, draws: 5 });
    expect(countGames(all)).toBe(11);
  });

  // [CONST-10 §9 r11] Only players with a completed game are ranked. The win rate is wins divided by completed games,
  // to one decimal.
  it("give a win rate to one decimal, and none without games [CONST-10]", () => {
    expect(formatWinRate({ wins: 2, losses: 1, draws: 0 })).toBe("66.7%");
    expect(formatWinRate({ wins: 0, losses: 0, draws: 0 })).toBe("None yet");
  });
});
