import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { describe, expect, it } from "vitest";
import { formatFilter, isShown, NO_FILTER, parseFilter } from "./match-filter.ts";

describe("the filter in the address", () => {
  it.each(["", "show=mine", "status=pending&game=chess&stake=2-10&minutes=5&search=ada", "stake=5"])(
    "%j is read as it was written [MATCH-03]",
    (query) => {
      expect(formatFilter(parseFilter(query))).toBe(query);
    },
  );

  it("leaves out what it does not know", () => {
    const unknown = "show=all&status=cancelled&game=ludo&stake=3-4&minutes=7&search=%20";
    expect(parseFilter(unknown)).toEqual(NO_FILTER);
    expect(parseFilter("stake=10-2")).toEqual({ ...NO_FILTER, stakeMin: 10 });
  });
});

it("cancelled matches are in the own list alone, without a status chosen", () => {
  const match: MatchView = {
    id: gameIdOf("g1"),
    game: "checkers",
    status: "cancelled",
    white: { id: playerIdOf("p-ada"), username: "ada" },
    black: null,
    stake: 5,
    feeBps: 740,
    limitMinutes: 10,
    winner: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: 0,
    updatedAt: 0,
  };
  expect(isShown(match, { ...NO_FILTER, mine: true })).toBe(true);
  expect(isShown(match, { ...NO_FILTER, mine: true, game: "chess" })).toBe(false);
  expect(isShown(match, { ...NO_FILTER, mine: true, status: "completed" })).toBe(false);
  expect(isShown(match, NO_FILTER)).toBe(false);
});
