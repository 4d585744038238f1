import type { MatchView } from "@holo/protocol/views.ts";
import { describe, expect, it } from "vitest";
import { dropMatch, isListed, type MatchFilter, mayList, putMatch } from "./match-list.ts";

const EVERYTHING: MatchFilter = { mine: false, status: "", search: "" };

function match(change: Partial<MatchView>): MatchView {
  return {
    id: "g1",
    game: "checkers",
    status: "active",
    white: { id: "p-halima", username: "Halima_B" },
    black: { id: "p-chidi", username: "chidi-ix" },
    stake: 5,
    feeBps: 740,
    limitMinutes: 10,
    winner: null,
    endReason: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: 1_000,
    updatedAt: 1_000,
    ...change,
  };
}

describe("what a list shows", () => {
  it.each(["halima", "CHIDI-IX", "check", "10", "10 min", " Halima_B "])("is found by %s [VALID-18]", (search) => {
    expect(isListed(match({}), { ...EVERYTHING, search }, null)).toBe(true);
  });

  it.each(["chess", "5 minutes", "emeka"])("is not found by %s", (search) => {
    expect(isListed(match({}), { ...EVERYTHING, search }, null)).toBe(false);
  });

  it("is found with an empty seat", () => {
    expect(isListed(match({ black: null, status: "pending" }), { ...EVERYTHING, search: "halima" }, "p-1")).toBe(true);
  });

  it("is of the chosen status [MATCH-03]", () => {
    expect(isListed(match({}), { ...EVERYTHING, status: "completed" }, null)).toBe(false);
    expect(isListed(match({ status: "completed" }), { ...EVERYTHING, status: "completed" }, null)).toBe(true);
  });

  it("has pending matches for players only [ROLE-01]", () => {
    expect(isListed(match({ status: "pending" }), EVERYTHING, null)).toBe(false);
    expect(isListed(match({ status: "pending" }), EVERYTHING, "p-other")).toBe(true);
  });

  it("has cancelled matches among one's own only", () => {
    const cancelled = match({ status: "cancelled" });
    expect(isListed(cancelled, EVERYTHING, "p-chidi")).toBe(false);
    expect(isListed(cancelled, { ...EVERYTHING, mine: true }, "p-chidi")).toBe(true);
  });

  it("has no match of others among one's own", () => {
    expect(isListed(match({}), { ...EVERYTHING, mine: true }, "p-other")).toBe(false);
  });
});

describe("a pushed match", () => {
  const older = match({ id: "old", createdAt: 100 });
  const newer = match({ id: "new", createdAt: 300 });

  it("takes its place by age [MATCH-17]", () => {
    const between = match({ id: "between", createdAt: 200 });
    expect(putMatch([newer, older], between, EVERYTHING, null)).toEqual([newer, between, older]);
  });

  it("replaces what was known of it", () => {
    const ended = { ...older, status: "completed" } as const;
    expect(putMatch([newer, older], ended, EVERYTHING, null)).toEqual([newer, ended]);
  });

  it("leaves a list that no longer shows it", () => {
    const ended = { ...older, status: "completed" } as const;
    expect(putMatch([newer, older], ended, { ...EVERYTHING, status: "active" }, null)).toEqual([newer]);
  });

  it("pushes the oldest out of a full list [CONST-09]", () => {
    const full = Array.from({ length: 30 }, (_, index) => match({ id: `g${index}`, createdAt: 100 - index }));
    const list = putMatch(full, newer, EVERYTHING, null);
    expect(list).toHaveLength(30);
    expect(list[0]).toBe(newer);
    expect(list.some(({ id }) => id === "g29")).toBe(false);
  });

  it("concerns the list that holds it, and one that is still on its way", () => {
    expect(mayList([newer, older], "old")).toBe(true);
    expect(mayList([newer, older], "another")).toBe(false);
    expect(mayList(undefined, "another")).toBe(true);
  });

  it("is dropped when it is gone", () => {
    expect(dropMatch([newer, older], "new")).toEqual([older]);
  });
});
