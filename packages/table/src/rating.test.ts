import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import {
  NEW_ABOVE_DEVIATION,
  NEW_PLAYER,
  type PlayerRating,
  type RatedResult,
  type Rating,
  rateGame,
  ratePeriod,
  toDeviationAt,
  toExpectedScore,
  toPool,
} from "./rating.ts";

const NOW = 1_800_000_000_000 as Instant;
const known = (rating: number, deviation: number, more: Partial<PlayerRating> = {}): PlayerRating => ({
  ...NEW_PLAYER,
  rating,
  deviation,
  games: 30,
  ratedAt: NOW,
  ...more,
});

test("computes Glickman's published example", () => {
  const results: readonly RatedResult[] = [
    { opponent: { rating: 1400, deviation: 30 }, score: 1 },
    { opponent: { rating: 1550, deviation: 100 }, score: 0 },
    { opponent: { rating: 1700, deviation: 300 }, score: 0 },
  ];
  const after = ratePeriod({ rating: 1500, deviation: 200, volatility: 0.06 }, results);
  // The paper rounds on the way: 1464.06, 151.52, 0.05999.
  expect(after.rating).toBeCloseTo(1464.05, 2);
  expect(after.deviation).toBeCloseTo(151.52, 2);
  expect(after.volatility).toBeCloseTo(0.059996, 6);
});

/**
 * Another way to the same values: on the scale of Glicko, the volatility as the maximum of its
 * posterior density, the rating as the mean of prior and performance, weighted by their precision.
 */
function toReference(
  { rating, deviation, volatility }: Rating,
  results: readonly RatedResult[],
  periods: number,
): Rating {
  const q = Math.LN10 / 400;
  const terms = results.map(({ opponent, score }) => {
    const g = (1 + 3 * ((q * opponent.deviation) / Math.PI) ** 2) ** -0.5;
    const e = 1 / (1 + 10 ** ((g * (opponent.rating - rating)) / 400));
    return { g, e, score };
  });
  const spread = 1 / (q * q * terms.reduce((sum, { g, e }) => sum + g * g * e * (1 - e), 0));
  const excess = spread * q * terms.reduce((sum, { g, e, score }) => sum + g * (score - e), 0);
  const density = (x: number): number => {
    const all = (deviation ** 2 + spread) * q * q + Math.exp(x);
    return -(Math.log(all) + (excess * q) ** 2 / all) / 2 - ((x - 2 * Math.log(volatility)) / 0.5) ** 2 / 2;
  };
  let [low, high] = [-14, 2];
  while (high - low > 1e-13) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (density(a) < density(b)) low = a;
    else high = b;
    if (a === low && b === high) break;
  }
  const sigma = Math.exp((low + high) / 4);
  const prior = deviation ** 2 + (periods * sigma * sigma) / (q * q);
  const precision = 1 / prior + 1 / spread;
  return {
    rating: (rating / prior + (rating + excess) / spread) / precision,
    deviation: precision ** -0.5,
    volatility: sigma,
  };
}

test("agrees with another computation to a millionth", () => {
  for (const rating of [700, 1400, 1500, 2300]) {
    for (const deviation of [30, 80, 200, 340]) {
      for (const volatility of [0.03, 0.06, 0.12]) {
        for (const opponent of [
          { rating: 1500, deviation: 30 },
          { rating: 1750, deviation: 90 },
          { rating: 900, deviation: 350 },
        ]) {
          for (const score of [0, 0.5, 1] as const) {
            const player = { rating, deviation, volatility };
            const results = [
              { opponent, score },
              { opponent: { rating: 1620, deviation: 110 }, score: 1 },
            ] as const;
            const [after, expected] = [ratePeriod(player, results, 0.5), toReference(player, results, 0.5)];
            expect(Math.abs(after.rating - expected.rating)).toBeLessThan(1e-6);
            expect(Math.abs(after.deviation - expected.deviation)).toBeLessThan(1e-6);
            expect(Math.abs(after.volatility - expected.volatility)).toBeLessThan(1e-6);
          }
        }
      }
    }
  }
});

test("a deviation of 60 becomes 110 in a year without games, and never exceeds a new player's", () => {
  const idle = (days: number) => toDeviationAt(known(1500, 60), (NOW + days * DAY_MS) as Instant);
  expect(idle(0)).toBe(60);
  expect(idle(365)).toBeCloseTo(NEW_ABOVE_DEVIATION, 1);
  expect(idle(50 * 365)).toBe(NEW_PLAYER.deviation);
  expect(toDeviationAt(NEW_PLAYER, NOW)).toBe(350);
});

test("a game counts with the uncertainty of both players at its end", () => {
  const later = (NOW + 400 * DAY_MS) as Instant;
  const [back] = rateGame([known(1500, 45), known(1500, 45, { ratedAt: later })], 1, later);
  const [regular] = rateGame([known(1500, 45, { ratedAt: later }), known(1500, 45, { ratedAt: later })], 1, later);
  expect(back.rating).toBeGreaterThan(regular.rating);
  expect(back).toMatchObject({ games: 31, ratedAt: later });
});

test("a new player is new until about a dozen games are rated", () => {
  let player = NEW_PLAYER;
  let games = 0;
  for (; player.deviation > NEW_ABOVE_DEVIATION; games += 1) {
    [player] = rateGame([player, known(1500, 60)], games % 2 === 0 ? 1 : 0, NOW);
  }
  expect(games).toBeGreaterThan(5);
  expect(games).toBeLessThan(20);
});

test("expects the better player to score more, the less so the less is known", () => {
  expect(toExpectedScore(known(1700, 30), known(1500, 30))).toBeCloseTo(0.757, 2);
  expect(toExpectedScore(known(1700, 300), known(1500, 300))).toBeLessThan(0.7);
  expect(toExpectedScore(NEW_PLAYER, NEW_PLAYER)).toBe(0.5);
});

test("a stake of nothing is rated in the pool of free games", () => {
  expect([0, 1, 10].map(toPool)).toEqual(["free", "staked", "staked"]);
});
