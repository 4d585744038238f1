import { checkers } from "@holo/checkers/checkers.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseMove, NEW_PRACTICE, PLAYER, type PracticeGame, playPly, takeBack, toTurn } from "./practice-game.ts";

/**
 * No game is longer: 24 men make at most 7 moves each, 23 pieces can be taken, and between any two of those at most 30 plies pass in which
 * kings alone move.
 */
const PLIES_MAX = (24 * 7 + 23 + 1) * 31;

/** Numbers from 0, less than 1, the same ones for the same seed. */
function makeFractions(seed: number): () => number {
  const draw = makeRandom(seed);
  return () => draw(2 ** 32) / 2 ** 32;
}

function playAtRandom(game: PracticeGame, random: () => number): PracticeGame {
  return playPly(game, chooseMove(game, random).path);
}

describe("practice at random", () => {
  it("always ends, with a result that is the rules' own", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = makeFractions(seed);
        let game = NEW_PRACTICE;
        while (toTurn(game) !== null) {
          game = playAtRandom(game, random);
          expect(game.plies.length).toBeLessThanOrEqual(PLIES_MAX);
        }
        expect(game.outcome).toEqual(checkers.outcome(game.position));
        expect(game.outcome).not.toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it("comes back by every take back to the game before the player's last move, and from there on plays as before", () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(9), { minLength: 1, maxLength: 200 }), (seed, acts) => {
        const random = makeFractions(seed);
        /** The games before each move of the player's. */
        const earlier: PracticeGame[] = [];
        let game = NEW_PRACTICE;
        for (const act of acts) {
          if (act === 0 || toTurn(game) === null) {
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
