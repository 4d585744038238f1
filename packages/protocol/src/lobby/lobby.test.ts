import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import { describe, expect, it } from "vitest";
import type { MatchView } from "../game/games.ts";
import { EVERY_MATCH, evolveLobby, isListed, type MatchList } from "./lobby.ts";

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
  // [VALID-18 §5] Search matches either username, the game mode or the time control, regardless of case.
  it.each(["halima", "chidi-ix", "check", "10", "10 min", "10min"])("finds a match by %j [VALID-18]", (search) => {
    expect(isListed(match({}), { ...EVERY_MATCH, search })).toBe(true);
  });

  it.each(["chess", "5 minutes", "emeka"])("does not find it by %j", (search) => {
    expect(isListed(match({}), { ...EVERY_MATCH, search })).toBe(false);
  });

  // [MATCH-03 §2] The list can be filtered by status (All Statuses, Pending, Active or Completed), game, stake range
  // and time limit. The address keeps the filter.
  it("filters by status, game, stake and time limit [MATCH-03]", () => {
    const shown = [
      { status: "active" },
      { game: "checkers" },
      { stakeMin: 5 },
      { stakeMax: 5 },
      { limitMinutes: 10 },
    ] as const;
    const hidden = [
      { status: "completed" },
      { game: "chess" },
      { stakeMin: 10 },
      { stakeMax: 2 },
      { limitMinutes: 5 },
    ] as const;
    for (const filter of shown) expect(isListed(match({}), { ...EVERY_MATCH, ...filter })).toBe(true);
    for (const filter of hidden) expect(isListed(match({}), { ...EVERY_MATCH, ...filter })).toBe(false);
  });

  it("shows no cancelled match", () => {
    expect(isListed(match({ status: "cancelled" }), EVERY_MATCH)).toBe(false);
  });
});

describe("evolveLobby", () => {
  const older = match({ id: gameIdOf("old"), createdAt: 100 });
  const newer = match({ id: gameIdOf("new"), createdAt: 300 });
  const list: MatchList = { matches: [newer, older], hasMore: false };
  const evolve = (changes: Omit<Parameters<typeof evolveLobby>[1], "type">, count = 30) =>
    evolveLobby(list, { type: "lobby_changes", ...changes }, count);

  // [MATCH-17 §2,7 r2] Open lists update when matches appear, start and end, without a reload.
  it("adds matches by their age, and those of one moment by id [MATCH-17]", () => {
    const between = match({ id: gameIdOf("between"), createdAt: 200 });
    const twin = match({ id: gameIdOf("newest"), createdAt: 300 });
    expect(evolve({ added: [between, twin] }).matches.map(({ id }) => id)).toEqual(["newest", "new", "between", "old"]);
  });

  it("changes matches, and removes those that are gone", () => {
    const changed = evolve({ changed: [{ id: older.id, status: "completed" }], gone: [newer.id], hasMore: true });
    expect(changed).toEqual({ matches: [{ ...older, status: "completed" }], hasMore: true });
  });

  // [CONST-09 §9] A list of matches has at most 30; 'Show more' adds 30, up to 300.
  it("drops the oldest matches of a full list [CONST-09]", () => {
    const added = match({ id: gameIdOf("newest"), createdAt: 400 });
    expect(evolve({ added: [added] }, 2).matches).toEqual([added, newer]);
  });
});
