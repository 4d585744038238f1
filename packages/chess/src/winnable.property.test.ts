import { makeRandom } from "@holo/kernel/random.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BLACK, WHITE } from "./board.ts";
import { chess } from "./chess.ts";
import { mayEverMate } from "./mate-reach.ts";
import { mirror, takeBackMate } from "./testing/before-mates.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_129 });

test("never calls a mate impossible that legal moves lead to", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const position of takeBackMate(makeRandom(seed))) {
        if (!mayEverMate(position, WHITE)) expect.fail(chess.formatPosition(position));
        if (!mayEverMate(mirror(position), BLACK)) expect.fail(`mirrored: ${chess.formatPosition(position)}`);
      }
    }),
    { numRuns: process.env.DEEP ? 20_000 : 40 },
  );
});
