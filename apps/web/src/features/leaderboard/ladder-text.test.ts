import { expect, test } from "vitest";
import { formatOwn } from "./ladder-text.ts";

test.each([
  [null, "You have no place here yet: it takes 10 rated games."],
  [{ rank: null, figure: 1500, games: 9, toNext: null }, "1 more rated game to get a place."],
  [{ rank: 1, figure: 1700, games: 40, toNext: null }, "You are at the top."],
  [{ rank: 5, figure: 1650, games: 40, toNext: 12 }, "12 points to the next place."],
  [{ rank: 5, figure: 1650, games: 40, toNext: 1 }, "1 point to the next place."],
])("tells a player with %j: %s", (own, text) => {
  expect(formatOwn(own, "point")).toBe(text);
});
