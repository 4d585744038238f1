import { HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { expect, test } from "vitest";
import { NEW_PLAYER, type PlayerRating, rateGame, toExpectedScore } from "./rating.ts";

const PLAYERS = 200;
const GAMES_EACH = 60;

interface Person {
  readonly strength: number;
  rating: PlayerRating;
}

/** Strengths around 1500 with a deviation of 250; opponents are near each other, as in matchmaking. */
function simulate(seed: number) {
  const draw = makeRandom(seed);
  const uniform = (): number => (draw(1_000_000) + 0.5) / 1_000_000;
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const people: Person[] = Array.from({ length: PLAYERS }, () => ({
    strength: 1500 + 250 * normal(),
    rating: NEW_PLAYER,
  }));
  const forecasts: { readonly expected: number; readonly score: number }[] = [];
  for (let game = 0; game < (PLAYERS * GAMES_EACH) / 2; game += 1) {
    const at = (1_800_000_000_000 + (game * HOUR_MS) / 10) as Instant;
    const one = people[draw(PLAYERS)]!;
    const candidates = Array.from({ length: 8 }, () => people[draw(PLAYERS)]!).filter((other) => other !== one);
    const distance = (other: Person): number => Math.abs(other.rating.rating - one.rating.rating);
    const other = candidates.sort((a, b) => distance(a) - distance(b))[0]!;
    const chance = 1 / (1 + 10 ** ((other.strength - one.strength) / 400));
    // A tenth of even games is drawn; the expected score stays `chance`.
    const drawn = 0.4 * chance * (1 - chance);
    const luck = uniform();
    const score = luck < chance - drawn / 2 ? 1 : luck < chance + drawn / 2 ? 0.5 : 0;
    forecasts.push({ expected: toExpectedScore(one.rating, other.rating), score });
    [one.rating, other.rating] = rateGame([one.rating, other.rating], score, at);
  }
  return { people, forecasts };
}

function toRanks(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks: number[] = [];
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}

/** Spearman's. */
function toRankCorrelation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [toRanks(one), toRanks(other)];
  const squares = a.reduce((sum, rank, index) => sum + (rank - b[index]!) ** 2, 0);
  return 1 - (6 * squares) / (one.length * (one.length ** 2 - 1));
}

test("ratings find the order of a population, say how uncertain they are, and forecast results", () => {
  const { people, forecasts } = simulate(43);
  const strengths = people.map(({ strength }) => strength);
  const ratings = people.map(({ rating }) => rating.rating);
  expect(toRankCorrelation(strengths, ratings)).toBeGreaterThan(0.95);
  // Ratings say nothing of where the scale begins.
  const shift = ratings.reduce((sum, rating, index) => sum + rating - strengths[index]!, 0) / PLAYERS;
  // Two deviations would hold 95 % if opponents' errors were independent.
  const within = people.filter(
    ({ strength, rating }) => Math.abs(rating.rating - shift - strength) <= 2 * rating.deviation,
  );
  expect(within.length / PLAYERS).toBeGreaterThan(0.85);
  const settled = forecasts.slice(forecasts.length / 2);
  for (const [low, high] of [
    [0, 0.4],
    [0.4, 0.5],
    [0.5, 0.6],
    [0.6, 1],
  ] as const) {
    const band = settled.filter(({ expected }) => expected >= low && expected < high);
    const mean = (of: (one: (typeof band)[number]) => number): number =>
      band.reduce((sum, one) => sum + of(one), 0) / band.length;
    expect(Math.abs(mean(({ expected }) => expected) - mean(({ score }) => score))).toBeLessThan(0.05);
  }
});
