import { chess } from "@holo/chess/chess.ts";
import { expect, test } from "vitest";
import { makeRandomGames } from "./random-games.ts";

const OPTIONS = { count: 4, plies: 60, orShorter: false, seed: 7 };

test("gives the same games for the same seed", () => {
  expect(makeRandomGames(chess, OPTIONS)).toEqual(makeRandomGames(chess, OPTIONS));
  expect(makeRandomGames(chess, OPTIONS)).not.toEqual(makeRandomGames(chess, { ...OPTIONS, seed: 8 }));
});

test("makes games that are not over after their last move", () => {
  for (const game of makeRandomGames(chess, OPTIONS)) {
    expect(game).toHaveLength(60);
    let position = chess.start();
    for (const move of game) {
      const played = chess.play(position, move.path, move.promotion);
      if (!played.ok) throw new Error("not legal");
      position = played.value.position;
      expect(chess.outcome(position)).toBeNull();
    }
  }
});
