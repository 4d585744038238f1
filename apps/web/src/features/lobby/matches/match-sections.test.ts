import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchStatus, MatchView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import { toSections } from "./match-sections.ts";

function match(id: string, status: MatchStatus): MatchView {
  return {
    id: gameIdOf(id),
    game: "checkers",
    status,
    white: { id: playerIdOf("p-femi"), username: "Femi_O" },
    black: null,
    stake: 2,
    feeBps: 740,
    limitMinutes: 5,
    winner: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: 0,
    updatedAt: 0,
  };
}

function list(matches: readonly MatchView[], hasMore = false): readonly string[] {
  return toSections(matches, hasMore).map(({ title, matches: shown }) => `${title}: ${shown.length}`);
}

test("matches are listed as open, live and finished", () => {
  const all = [match("1", "pending"), match("2", "pending"), match("3", "active"), match("4", "completed")];
  expect(list([...all, match("5", "cancelled")])).toEqual(["Open now (2): 2", "Live: 1", "Finished: 2"]);
  expect(list(all.slice(2), true)).toEqual(["Live: 1", "Finished: 1"]);
});

test("a list that ends within the open matches does not claim their number", () => {
  expect(list([match("1", "pending"), match("2", "pending")], true)).toEqual(["Open now (2+): 2"]);
});
