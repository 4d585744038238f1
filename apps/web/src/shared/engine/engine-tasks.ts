import { type Analysis, type Level, loadEngine } from "@holo/engine/engine.ts";
import { assert } from "@holo/kernel/assert.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameRules, GameType, Move } from "@holo/rules/rules.ts";

export type PathAndPromotion = Pick<Move, "path" | "promotion">;

/** A position with its history, on which draws depend. */
interface PlayedGame {
  readonly game: GameType;
  /** FEN; null for the start of the game. */
  readonly start: string | null;
  readonly moves: readonly PathAndPromotion[];
}

export type EngineTask = PlayedGame &
  (
    | { readonly type: "choose"; readonly level: Level; readonly seed: number }
    | { readonly type: "analyse"; readonly nodes: number }
  );

/** To the worker. Tasks are done one after the other. */
export interface EngineRequest {
  readonly id: number;
  readonly task: EngineTask;
}

/** From the worker: once that it runs, then one answer per request. */
export type EngineMessage =
  | "ready"
  | { readonly id: number; readonly result: Move | Analysis }
  | { readonly id: number; readonly fault: string };

/** Throws for an invalid FEN and for illegal moves. */
export async function doTask(task: EngineTask): Promise<Move | Analysis> {
  const [rules, engine] = await Promise.all([gameOf(task.game).loadRules(), loadEngine(task.game)]);
  const position = replay(rules, task);
  if (task.type === "choose") return engine.chooseMove(position, task.level, task.seed);
  return engine.analyse(position, { nodes: task.nodes });
}

function replay<Position>(rules: GameRules<Position>, { start, moves }: PlayedGame): Position {
  let position = rules.start();
  if (start !== null) {
    const parsed = rules.parsePosition(start);
    assert(parsed.ok, "the engine was asked about a position that is none");
    position = parsed.value;
  }
  for (const { path, promotion } of moves) {
    const played = rules.play(position, path, promotion);
    assert(played.ok, "the engine was asked about moves that are not legal");
    position = played.value.position;
  }
  return position;
}
