import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { expect, it } from "vitest";
import { type Level, loadEngine } from "./engine.ts";

const GAMES = 4;
const PLIES_MAX = 160;

interface Pair {
  readonly rules: GameRules<unknown>;
  readonly level: Level;
  readonly below: Level;
}

/** Points of `level` against `opponent`: a win 2, a draw 1. `npm run bench -- engine` plays 200. */
async function countPoints(rules: GameRules<unknown>, level: Level, opponent: Level): Promise<number> {
  const engine = await loadEngine(rules.game);
  let points = 0;
  for (let game = 0; game < GAMES; game += 1) {
    const seat = game % 2 === 0 ? 1 : 2;
    let position = rules.start();
    for (let ply = 0; ply < PLIES_MAX && rules.outcome(position) === null; ply += 1) {
      const chosen = rules.toMove(position) === seat ? level : opponent;
      const move = engine.chooseMove(position, chosen, 1000 * game + ply);
      const played = rules.play(position, move.path, move.promotion);
      if (!played.ok) throw new Error("not legal");
      position = played.value.position;
    }
    const outcome = rules.outcome(position);
    points += outcome?.type === "win" ? (outcome.winner === seat ? 2 : 0) : 1;
  }
  return points;
}

it.each([
  { rules: chess, level: 1, below: 0 },
  { rules: chess, level: 2, below: 1 },
  { rules: checkers, level: 1, below: 0 },
  { rules: checkers, level: 3, below: 2 },
] as readonly Pair[])("in $rules.game level $level beats level $below", async ({ rules, level, below }) => {
  expect(await countPoints(rules, level, below)).toBeGreaterThanOrEqual(1.5 * GAMES);
});
