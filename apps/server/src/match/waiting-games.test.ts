import { type GameId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import { WaitingGames } from "./waiting-games.ts";

const TERMS = { game: "checkers", stake: 5, limitMinutes: 5, feeBps: 740 } as const;

const toMatch = (number: number): MatchView => ({
  ...TERMS,
  id: toGameId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
  status: "pending",
  white: { id: toPlayerId(`player-${number}`), username: `player-${number}` },
  black: null,
  winner: null,
  moveCount: 0,
  board: ".".repeat(64),
  createdAt: toInstant(number),
  updatedAt: toInstant(number),
});

test("lists the longest waiting game first, also if it was learned of last", () => {
  const games = new WaitingGames();
  const list = (): readonly GameId[] => games.list(TERMS).map(({ id }) => id);
  const [first, second, third] = [toMatch(1), toMatch(2), toMatch(3)];
  for (const match of [second, third, first, second]) games.note(match);
  expect(list()).toEqual([first.id, second.id, third.id]);
  games.note({ ...first, status: "active" });
  expect([games.has(first.id), ...list()]).toEqual([false, second.id, third.id]);
});
