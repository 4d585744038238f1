import { checkers } from "@holo/checkers/checkers.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseAtRandom, newPractice, type PracticeGame, playPly, takeBack, toTurn } from "./practice-game.ts";
import { parseSaved, replay, toSaved } from "./saved-practice.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const NEW_PRACTICE = newPractice(checkers);
const PLAYER = 1;

/**
 * Upper bound: 24 men make at most 7 moves each, 23 pieces can be captured, and at most 30 plies
 * with kings alone pass between two of these.
 */
const PLIES_MAX = (24 * 7 + 23 + 1) * 31;

function makeFractions(seed: number): () => number {
  const draw = makeRandom(seed);
  return () => draw(2 ** 32) / 2 ** 32;
}

function playAtRandom(game: PracticeGame, random: () => number): PracticeGame {
  return playPly(game, chooseAtRandom(game, random).path);
}

describe("a random practice game", () => {
  it("ends with an outcome of the rules", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = makeFractions(seed);
        let game = NEW_PRACTICE;
        while (toTurn(game) !== null) {
          game = playAtRandom(game, random);
          expect(game.plies.length).toBeLessThanOrEqual(PLIES_MAX);
        }
        expect(replay(checkers, parseSaved(JSON.stringify(toSaved(game, 3)))!)).toEqual(game);
        expect(game.outcome).toEqual(game.rules.outcome(game.position));
        expect(game.outcome).not.toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it("is restored by every takeback and continues as before", () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(9), { minLength: 1, maxLength: 200 }), (seed, choices) => {
        const random = makeFractions(seed);
        const earlier: PracticeGame[] = [];
        let game = NEW_PRACTICE;
        for (const choice of choices) {
          if (choice === 0 || toTurn(game) === null) {
            game = takeBack(game);
            expect(game).toEqual(earlier.pop() ?? NEW_PRACTICE);
            expect(toTurn(game)).toBe(PLAYER);
          } else {
            if (toTurn(game) === PLAYER) earlier.push(game);
            game = playAtRandom(game, random);
          }
        }
        const replayed = game.plies.reduce((played, { move }) => playPly(played, move.path), NEW_PRACTICE);
        expect(replayed).toEqual(game);
      }),
    );
  });
});
