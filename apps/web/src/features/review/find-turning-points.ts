import type { Evaluation } from "../../shared/evaluation/evaluation.ts";
import type { Judgement } from "./judgement.ts";

const POINTS_MAX = 3;
const LOSS_MIN = 10;
/** Percent for White from which one side has the better game. */
const BETTER_FROM = 60;

/**
 * The moves, from 1, after which another side had the better game: those that gave away most, in
 * the order of the game.
 */
export function findTurningPoints(
  judgements: readonly (Judgement | null)[],
  evaluations: readonly Evaluation[],
): readonly number[] {
  return judgements
    .flatMap((judgement, index) => {
      const [before, after] = [evaluations[index], evaluations[index + 1]];
      if (judgement === null || before === undefined || after === undefined) return [];
      const isTurn = judgement.loss >= LOSS_MIN && toStanding(before) !== toStanding(after);
      return isTurn ? [{ ply: index + 1, loss: judgement.loss }] : [];
    })
    .toSorted((a, b) => b.loss - a.loss)
    .slice(0, POINTS_MAX)
    .map(({ ply }) => ply)
    .toSorted((a, b) => a - b);
}

function toStanding({ whiteChance }: Evaluation): "white" | "even" | "black" {
  if (whiteChance >= BETTER_FROM) return "white";
  return whiteChance <= 100 - BETTER_FROM ? "black" : "even";
}
