import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../shared/evaluation/evaluation.ts";
import type { ReviewedMove } from "../../shared/evaluation/reviewed-game.ts";
import { findTurningPoints } from "./find-turning-points.ts";
import { judgeMoves, summarize } from "./judgement.ts";

/** Moves of white and black in turn, all alike for the judgement. */
function makeMoves(count: number, forced: readonly number[] = []): { readonly moves: readonly ReviewedMove[] } {
  const moves = Array.from({ length: count }, (_, ply) => ({
    move: { path: [ply, ply + 8], captured: [] },
    text: `move ${ply + 1}`,
    seat: ply % 2 === 0 ? (1 as const) : (2 as const),
    isForced: forced.includes(ply + 1),
    chargedMs: 0,
  }));
  return { moves };
}

/** The computer would have played something else everywhere. */
function evaluate(...whiteChances: readonly number[]): readonly Evaluation[] {
  return whiteChances.map((whiteChance) => ({ whiteChance, best: { path: [0, 63] } }));
}

describe("a move's quality", () => {
  // [REVIEW-01 §-] Each move of a finished game is judged by the chance to win that it gave away: best, good,
  // inaccuracy, mistake or blunder; the only legal move is not.
  it("follows from the chance to win that its mover lost [REVIEW-01]", () => {
    const judged = judgeMoves(makeMoves(6), evaluate(50, 50, 52, 45, 57, 57, 87));
    expect(judged.map((judgement) => judgement?.quality)).toEqual([
      "best",
      "good",
      "inaccuracy",
      "mistake",
      "best",
      "blunder",
    ]);
  });

  it("is none for the only legal move [REVIEW-01]", () => {
    expect(judgeMoves(makeMoves(2, [1]), evaluate(90, 20, 20))).toEqual([null, { quality: "best", loss: 0 }]);
  });

  it("is best for the move of the computer, even if the next position looks worse", () => {
    const [before, after] = evaluate(60, 40);
    const own = { ...before!, best: { path: [0, 8] } };
    expect(judgeMoves(makeMoves(1), [own, after!])).toEqual([{ quality: "best", loss: 0 }]);
  });

  it("comes as soon as the position after the move is evaluated", () => {
    expect(judgeMoves(makeMoves(3), [])).toEqual([]);
    expect(judgeMoves(makeMoves(3), evaluate(50))).toEqual([]);
    expect(judgeMoves(makeMoves(3), evaluate(50, 50))).toHaveLength(1);
  });
});

describe("a player's summary", () => {
  // [REVIEW-02 §-] A review counts each player's moves by quality and gives an accuracy in percent.
  it("counts the own judged moves and gives their mean accuracy [REVIEW-02]", () => {
    const game = makeMoves(5, [5]);
    const judgements = judgeMoves(game, evaluate(50, 50, 80, 55, 55, 10));
    expect(summarize(game, judgements, 1)).toEqual({
      counts: { best: 1, good: 0, inaccuracy: 0, mistake: 0, blunder: 1 },
      accuracy: expect.closeTo(66.2, 0),
    });
    expect(summarize(game, judgements, 2).counts).toMatchObject({ best: 1, blunder: 1 });
  });

  it("has no accuracy before a move is judged", () => {
    expect(summarize(makeMoves(1), [], 1).accuracy).toBeNull();
  });
});

describe("the turning points", () => {
  // [REVIEW-03 §-] 'The game turned here' lists at most three moves after which another side had the better game.
  it("are the moves after which another side had the better game [REVIEW-03]", () => {
    // white loses 45, black gives 15 back to even, white loses 25, and black wins
    const evaluations = evaluate(70, 25, 41, 16, 16, 5);
    expect(findTurningPoints(judgeMoves(makeMoves(5), evaluations), evaluations)).toEqual([1, 2, 3]);
  });

  it("are the three that gave away most, in the order of the game [REVIEW-03]", () => {
    const evaluations = evaluate(50, 30, 75, 20, 90, 90);
    expect(findTurningPoints(judgeMoves(makeMoves(5), evaluations), evaluations)).toEqual([2, 3, 4]);
  });

  it("are none where the better side stays the better side", () => {
    const evaluations = evaluate(95, 65, 66, 62);
    expect(findTurningPoints(judgeMoves(makeMoves(3), evaluations), evaluations)).toEqual([]);
  });
});
