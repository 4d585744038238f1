import { loadEngine } from "@holo/engine/engine.ts";
import { assert } from "@holo/kernel/assert.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";

/** About 3 ms. A hundred times as many judge "lost or not" otherwise in 2 % of positions. */
const NODES: Readonly<Record<GameType, number>> = { chess: 500, checkers: 2_500 };
const NODES_ELSE = 1_000;

/** For this seat, in hundredths of a man or pawn, with either to move. The text has no history. */
export async function toFinalScore(game: GameType, board: string, seat: Seat): Promise<number> {
  const rules = rulesOf(game);
  const position = rules.parsePosition(board);
  assert(position.ok, "a stored position is one of its game");
  const engine = await loadEngine(game);
  const { score } = engine.analyse(position.value, { nodes: NODES[game] ?? NODES_ELSE });
  return rules.toMove(position.value) === seat ? score : -score;
}
