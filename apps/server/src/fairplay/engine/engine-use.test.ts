import { expect, test } from "vitest";
import { isEngineUse, toEngineUse } from "./engine-use.ts";
import type { JudgedMove } from "./judge-moves.ts";
import { toFirstChance, toMoveFigures } from "./move-figures.ts";

const FLAT = [4_000, 4_500, 5_000, 5_500];
const HUMAN = [800, 2_000, 6_000, 30_000];

/** A game of 40 moves, each a real choice, of which so many are the engine's. */
function playGame(first: number, times = FLAT, rating = 1_500) {
  const moves = Array.from({ length: 40 }, (_, index): JudgedMove & { thinkMs: number } => ({
    seat: 1,
    choices: 20,
    isFirst: index < first,
    lost: index < first ? 0 : 0.05,
    gap: 0.1,
    thinkMs: times[index % times.length]!,
  }));
  return toMoveFigures(moves, rating, "chess");
}

const use = (games: number, first: number, times = FLAT, rating = 1_500) =>
  toEngineUse(Array.from({ length: games }, () => playGame(first, times, rating)));

test("an engine's moves at an even pace in five games are a case", () => {
  const found = use(5, 37);
  expect(found).toMatchObject({ choices: 200, games: 5 });
  expect(found.z).toBeGreaterThan(5);
  expect(isEngineUse(found)).toBe(true);
});

test.each([
  ["equals' moves", use(5, 24)],
  ["too few games", use(4, 40)],
  ["think times of people", use(5, 37, HUMAN)],
  ["too few real choices", toEngineUse(Array.from({ length: 5 }, () => ({ ...playGame(37), realChoices: 7 })))],
  ["a lucky evening", use(5, 29)],
  ["a strong player's moves", use(5, 30, FLAT, 2_200)],
  ["nothing", toEngineUse([])],
])("%s are none", (_name, found) => {
  expect(isEngineUse(found)).toBe(false);
});

test("who asks a program in some games only is seen in those", () => {
  const figures = [
    ...Array.from({ length: 5 }, () => playGame(37)),
    ...Array.from({ length: 30 }, () => playGame(20, HUMAN)),
  ];
  expect(toEngineUse(figures)).toEqual(use(5, 37));
});

test("what equals were seen to find counts where it is more than their rating lets expect", () => {
  const figures = Array.from({ length: 5 }, () => playGame(37));
  expect(toEngineUse(figures, { realRate: 0.2, shares: null })).toEqual(toEngineUse(figures));
  expect(toEngineUse(figures, { realRate: 0.9, shares: null }).z).toBeLessThan(2);
});

test("games with few real choices are compared with all that equals find, game by game", () => {
  const figures = Array.from({ length: 5 }, () => ({ ...playGame(28), realChoices: 2, realFirst: 2 }));
  const shares = { games: 100, mean: 0.4, deviation: 0.15 };
  const found = toEngineUse(figures, { realRate: null, shares });
  expect(found).toMatchObject({ choices: 200, games: 5, z: expect.closeTo(4.36, 2) });
  expect(isEngineUse(found)).toBe(true);
  expect(isEngineUse(toEngineUse(figures, { realRate: null, shares: { ...shares, deviation: 0.2 } }))).toBe(false);
  const few = figures.map((one) => ({ ...one, choices: 19, firstChoices: 14 }));
  expect(toEngineUse(few, { realRate: null, shares })).toMatchObject({ choices: 95, z: expect.closeTo(4.9, 1) });
  expect(isEngineUse(toEngineUse(few, { realRate: null, shares }))).toBe(false);
  expect(isEngineUse(toEngineUse(figures))).toBe(false);
  const short = figures.map((one) => ({ ...one, choices: 4, firstChoices: 4 }));
  expect(toEngineUse([...figures, ...short], { realRate: null, shares })).toEqual(found);
  expect(toEngineUse([], { realRate: null, shares }).z).toBe(0);
});

test("stronger players are expected to find more, and larger leads are found more often", () => {
  const chances = [toFirstChance(0.1, 1_100), toFirstChance(0.1, 1_900), toFirstChance(0.4, 1_900)];
  expect(chances.toSorted((one, other) => one - other)).toEqual(chances);
  expect(toFirstChance(0.1, 2_500)).toBe(toFirstChance(0.1, 1_900));
});
