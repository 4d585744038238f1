import { toWinChance } from "@holo/engine/engine.ts";
import type { GameType, Move, Outcome, Seat } from "@holo/rules/rules.ts";
import type { Rules } from "../board/game-rules.ts";
import type { OpenEngine } from "../engine/engine-client.ts";
import type { ReviewedGame } from "./reviewed-game.ts";

/** What the computer thinks of one position. */
export interface Evaluation {
  /** Percent, with one decimal. */
  readonly whiteChance: number;
  /** Null at the end of the game. */
  readonly best: Pick<Move, "path" | "promotion"> | null;
}

/** Per position, so that a slow phone has reviewed 60 moves in 20 s. */
const NODES: Readonly<Partial<Record<GameType, number>>> = { checkers: 100_000, chess: 20_000 };
const USUAL_NODES = 20_000;

export function toNodes(game: GameType): number {
  return NODES[game] ?? USUAL_NODES;
}

interface EvaluatedGame {
  readonly rules: Rules;
  readonly reviewed: ReviewedGame;
  /** Of the first positions, from an earlier visit. */
  readonly known: readonly Evaluation[];
}

/** Evaluates the other positions one after the other, until the engine is closed. */
export async function evaluateGame(
  engine: Pick<OpenEngine, "analyse">,
  { rules, reviewed: { game, moves, positions }, known }: EvaluatedGame,
  onEvaluated: (evaluation: Evaluation) => void,
): Promise<void> {
  const nodes = toNodes(game);
  const played = moves.map(({ move: { path, promotion } }) => toPlain(path, promotion));
  for (const [ply, position] of [...positions.entries()].slice(known.length)) {
    const outcome = rules.outcome(position);
    if (outcome !== null) {
      onEvaluated({ whiteChance: toFinalChance(outcome), best: null });
      continue;
    }
    const { move, score } = await engine.analyse(game, null, played.slice(0, ply), { nodes });
    onEvaluated({
      whiteChance: toWhiteChance(game, rules.toMove(position), score),
      best: move === null ? null : toPlain(move.path, move.promotion),
    });
  }
}

function toPlain(path: Move["path"], promotion: Move["promotion"]): Pick<Move, "path" | "promotion"> {
  return promotion === undefined ? { path } : { path, promotion };
}

/** `score` is that of the side to move. */
function toWhiteChance(game: GameType, toMove: Seat, score: number): number {
  return Math.round(1_000 * toWinChance(toMove === 1 ? score : -score, game)) / 10;
}

function toFinalChance(outcome: Outcome): number {
  if (outcome.type === "draw") return 50;
  return outcome.winner === 1 ? 100 : 0;
}

export function toOwnChance({ whiteChance }: Evaluation, seat: Seat): number {
  return seat === 1 ? whiteChance : 100 - whiteChance;
}
