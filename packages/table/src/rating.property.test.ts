import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PlayerRating, rateGame } from "./rating.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

const NOW = 1_800_000_000_000;

const player: fc.Arbitrary<PlayerRating> = fc.record({
  rating: fc.double({ min: 300, max: 3_000, noNaN: true }),
  deviation: fc.double({ min: 30, max: 350, noNaN: true }),
  volatility: fc.double({ min: 0.01, max: 0.2, noNaN: true }),
  games: fc.nat(1_000),
  ratedAt: fc.option(fc.integer({ min: NOW - 2_000 * DAY_MS, max: NOW }).map((at) => at as Instant)),
});
const score = fc.constantFrom(0, 0.5, 1);
const at = fc.integer({ min: NOW - DAY_MS, max: NOW + 2_000 * DAY_MS }).map((value) => value as Instant);

test("who wins never falls, who loses never rises, and both stay within bounds", () => {
  fc.assert(
    fc.property(player, player, score, at, (white, black, result, endedAt) => {
      const [first, second] = rateGame([white, black], result, endedAt);
      for (const [before, after, own] of [
        [white, first, result],
        [black, second, 1 - result],
      ] as const) {
        if (own === 1) expect(after.rating).toBeGreaterThanOrEqual(before.rating);
        if (own === 0) expect(after.rating).toBeLessThanOrEqual(before.rating);
        expect(after.deviation).toBeGreaterThanOrEqual(30);
        expect(after.deviation).toBeLessThanOrEqual(350);
        expect(Number.isFinite(after.rating) && after.volatility > 0 && after.volatility < 1).toBe(true);
        expect(after.games).toBe(before.games + 1);
        expect(after.ratedAt).toBeGreaterThanOrEqual(before.ratedAt ?? endedAt);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the seats make no difference", () => {
  fc.assert(
    fc.property(player, player, score, at, (white, black, result, endedAt) => {
      const [first, second] = rateGame([white, black], result, endedAt);
      expect(rateGame([black, white], (1 - result) as typeof result, endedAt)).toEqual([second, first]);
    }),
  );
});

test("a draw moves two equally known players towards each other", () => {
  fc.assert(
    fc.property(player, fc.double({ min: 1, max: 500, noNaN: true }), (white, above) => {
      const black = { ...white, rating: white.rating + above };
      const [first, second] = rateGame([white, black], 0.5, NOW as Instant);
      expect(first.rating).toBeGreaterThan(white.rating);
      expect(second.rating).toBeLessThan(black.rating);
    }),
  );
});

test("a stored rating is read back as it was, so that a rebuild gives the same", () => {
  fc.assert(
    fc.property(player, player, score, at, (white, black, result, endedAt) => {
      const rated = rateGame([white, black], result, endedAt);
      expect(JSON.parse(JSON.stringify(rated))).toEqual(rated);
    }),
  );
});
