import { addMs, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findPairs, isWithinBands, toBandWidth, type WaitingSeek } from "./rating-band.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_130 });

const NOW = toInstant(1_800_000_000_000);

const waiting: fc.Arbitrary<readonly WaitingSeek[]> = fc
  .array(
    fc.record({
      rating: fc.integer({ min: 900, max: 2_100 }),
      nearRating: fc.boolean(),
      waitedMs: fc.integer({ min: 0, max: 120 * SECOND_MS }),
    }),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(({ waitedMs, ...seek }) => ({
      ...seek,
      sinceAt: addMs(NOW, -waitedMs),
    })),
  );

test("two who suit each other never both wait, and nobody plays twice or outside a band", () => {
  fc.assert(
    fc.property(waiting, (all) => {
      const suits = (one: WaitingSeek, other: WaitingSeek) => isWithinBands(one, other, NOW);
      const pairs = findPairs(all, suits);
      const seated = pairs.flat();
      expect(new Set(seated).size).toBe(seated.length);
      for (const [one, other] of pairs) {
        expect(one.sinceAt).toBeLessThanOrEqual(other.sinceAt);
        for (const [seek, opponent] of [
          [one, other],
          [other, one],
        ] as const) {
          const distance = Math.abs(seek.rating - opponent.rating);
          expect(distance <= toBandWidth(seek, NOW - seek.sinceAt)).toBe(true);
        }
      }
      const left = all.filter((seek) => !seated.includes(seek));
      for (const one of left) for (const other of left) if (one !== other) expect(suits(one, other)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("without bands the longest waiting play each other in the order of their waits", () => {
  fc.assert(
    fc.property(waiting, (all) => {
      const open = all.map((seek) => ({ ...seek, nearRating: false }));
      const byWait = [...open].sort((a, b) => a.sinceAt - b.sinceAt);
      const pairs = findPairs(open, (one, other) => isWithinBands(one, other, NOW));
      expect(pairs.flat()).toEqual(byWait.slice(0, byWait.length - (byWait.length % 2)));
    }),
  );
});

test("a band only ever widens, and ends", () => {
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(200_000), (waitedMs, more) => {
      const seek = { rating: 1500, nearRating: true };
      expect(toBandWidth(seek, waitedMs + more)).toBeGreaterThanOrEqual(toBandWidth(seek, waitedMs));
      expect(toBandWidth(seek, 0)).toBe(100);
      expect(toBandWidth(seek, 90_000)).toBe(Number.POSITIVE_INFINITY);
    }),
  );
});
