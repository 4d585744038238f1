import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchStatus, MatchView } from "@holo/protocol/game/games.ts";
import { describe, expect, it } from "vitest";
import { countTab, formatWinRate, PROFILE_TABS, selectCancelled, selectTab } from "./profile-tabs.ts";

function matches(...statuses: readonly MatchStatus[]): readonly MatchView[] {
  return statuses.map((status, index) => ({
    id: gameIdOf(`g${index}`),
    game: "chess",
    status,
    white: { id: playerIdOf("p-1"), username: "one" },
    black: null,
    stake: 1,
    feeBps: 740,
    limitMinutes: 5,
    winner: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: -index,
    updatedAt: -index,
  }));
}

const MANY = matches("active", "completed", "cancelled", "completed", "completed", "completed", "pending");

describe("the profile tabs", () => {
  it("are All, Active, Pending and History, each with its own empty text [PROF-05]", () => {
    expect(PROFILE_TABS.map(({ text, empty }) => [text, empty])).toEqual([
      ["All", "You haven't participated in any matches yet."],
      ["Active", "You have no active match."],
      ["Pending", "You have no pending match."],
      ["History", "You haven't completed any matches yet."],
    ]);
  });

  // [PROF-05 §2,9] The tabs are All (the first five), Active, Pending and History. Each has its own text when it is
  // empty, and no number beside a list that is shorter.
  it("All shows the five newest games [PROF-05]", () => {
    expect(selectTab(MANY, "all").map(({ id }) => id)).toEqual(["g0", "g1", "g3", "g4", "g5"]);
  });

  it("History lists completed games, and cancelled ones apart", () => {
    expect(selectTab(MANY, "history").map(({ id }) => id)).toEqual(["g1", "g3", "g4", "g5"]);
    expect(selectCancelled(MANY).map(({ id }) => id)).toEqual(["g2"]);
  });

  it("Active and Pending each show one status [ENT-04]", () => {
    expect(selectTab(MANY, "active").map(({ id }) => id)).toEqual(["g0"]);
    expect(selectTab(MANY, "pending").map(({ id }) => id)).toEqual(["g6"]);
  });

  // [STATE-09 §4 r11] A game lost on time counts as completed in every list. A cancelled game appears only in My
  // Matches and History and in no count.
  it("the count of History excludes cancelled games [STATE-09]", () => {
    const games = { pending: 1, active: 1, completed: 4, free: 0, wins: 1, losses: 3, draws: 0 };
    expect(countTab(games, "history")).toBe(4);
    expect(countTab(games, "all")).toBe(6);
    expect(countTab(games, "pending")).toBe(1);
  });
});

describe("the win rate", () => {
  it("has one decimal [CONST-10]", () => {
    expect(formatWinRate({ wins: 27, completed: 46, free: 0 })).toBe("58.7%");
    expect(formatWinRate({ wins: 1, completed: 1, free: 0 })).toBe("100.0%");
  });

  it("is zero before the first completed match", () => {
    expect(formatWinRate({ wins: 0, completed: 0, free: 0 })).toBe("0.0%");
  });
});
