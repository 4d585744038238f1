import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchView } from "@holo/protocol/games.ts";
import { describe, expect, it } from "vitest";
import { applyPush, isListed, type MatchFilter, mightList, upsertMatch } from "./match-list.ts";

const EVERYTHING: MatchFilter = { mine: false, status: "", search: "" };

function match(change: Partial<MatchView>): MatchView {
  return {
    id: gameIdOf("g1"),
    game: "checkers",
    status: "active",
    white: { id: playerIdOf("p-halima"), username: "Halima_B" },
    black: { id: playerIdOf("p-chidi"), username: "chidi-ix" },
    stake: 5,
    feeBps: 740,
    limitMinutes: 10,
    winner: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: 1_000,
    updatedAt: 1_000,
    ...change,
  };
}

describe("isListed", () => {
  it.each(["halima", "CHIDI-IX", "check", "10", "10 min", " Halima_B "])(
    "matches the search %j [VALID-18]",
    (search) => {
      expect(isListed(match({}), { ...EVERYTHING, search }, null)).toBe(true);
    },
  );

  it.each(["chess", "5 minutes", "emeka"])("rejects the search %j", (search) => {
    expect(isListed(match({}), { ...EVERYTHING, search }, null)).toBe(false);
  });

  it("accepts a match with an empty seat", () => {
    expect(isListed(match({ black: null, status: "pending" }), { ...EVERYTHING, search: "halima" }, "p-1")).toBe(true);
  });

  it("filters by status [MATCH-03]", () => {
    expect(isListed(match({}), { ...EVERYTHING, status: "completed" }, null)).toBe(false);
    expect(isListed(match({ status: "completed" }), { ...EVERYTHING, status: "completed" }, null)).toBe(true);
  });

  it("shows pending matches to players only [ROLE-01]", () => {
    expect(isListed(match({ status: "pending" }), EVERYTHING, null)).toBe(false);
    expect(isListed(match({ status: "pending" }), EVERYTHING, "p-other")).toBe(true);
  });

  it("shows cancelled matches only among the player's own", () => {
    const cancelled = match({ status: "cancelled" });
    expect(isListed(cancelled, EVERYTHING, "p-chidi")).toBe(false);
    expect(isListed(cancelled, { ...EVERYTHING, mine: true }, "p-chidi")).toBe(true);
  });

  it("excludes matches of others from the player's own", () => {
    expect(isListed(match({}), { ...EVERYTHING, mine: true }, "p-other")).toBe(false);
  });
});

describe("a pushed match", () => {
  const older = match({ id: gameIdOf("old"), createdAt: 100 });
  const newer = match({ id: gameIdOf("new"), createdAt: 300 });

  it("is inserted by age [MATCH-17]", () => {
    const between = match({ id: gameIdOf("between"), createdAt: 200 });
    expect(upsertMatch([newer, older], between, EVERYTHING, null)).toEqual([newer, between, older]);
  });

  it("replaces its previous version", () => {
    const ended = { ...older, status: "completed" } as const;
    expect(upsertMatch([newer, older], ended, EVERYTHING, null)).toEqual([newer, ended]);
  });

  it("is removed if the filter excludes it", () => {
    const ended = { ...older, status: "completed" } as const;
    expect(upsertMatch([newer, older], ended, { ...EVERYTHING, status: "active" }, null)).toEqual([newer]);
  });

  it("displaces the oldest match of a full list [CONST-09]", () => {
    const full = Array.from({ length: 30 }, (_, index) => match({ id: gameIdOf(`g${index}`), createdAt: 100 - index }));
    const list = upsertMatch(full, newer, EVERYTHING, null);
    expect(list).toHaveLength(30);
    expect(list[0]).toBe(newer);
    expect(list.some(({ id }) => id === "g29")).toBe(false);
  });

  it("concerns a list that contains it or is still loading", () => {
    expect(mightList([newer, older], gameIdOf("old"))).toBe(true);
    expect(mightList([newer, older], gameIdOf("another"))).toBe(false);
    expect(mightList(undefined, gameIdOf("another"))).toBe(true);
  });

  it("is removed when it is gone, except from the player's own matches", () => {
    const gone = { type: "match_gone", gameId: gameIdOf("new") } as const;
    expect(applyPush([newer, older], gone, EVERYTHING, null)).toEqual([older]);
    expect(applyPush([newer, older], gone, { ...EVERYTHING, mine: true }, "p-other")).toEqual([newer, older]);
  });
});
