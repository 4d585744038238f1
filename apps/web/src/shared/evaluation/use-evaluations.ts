import type { GameId } from "@holo/kernel/ids.ts";
import { startTransition, useEffect, useState } from "react";
import type { Rules } from "../board/game-rules.ts";
import { openEngine } from "../engine/engine.ts";
import { type Evaluation, evaluateGame, toNodes } from "./evaluation.ts";
import { loadEvaluations, saveEvaluations } from "./kept-evaluations.ts";
import type { ReviewedGame } from "./reviewed-game.ts";

interface Evaluations {
  /** Of the first positions; they grow while the computer works. */
  readonly evaluations: readonly Evaluation[];
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** Evaluates what this device has not kept. Ends the worker when the screen goes. */
export function useEvaluations(
  gameId: GameId,
  { rules, reviewed }: { readonly rules: Rules; readonly reviewed: ReviewedGame },
): Evaluations {
  const nodes = toNodes(reviewed.game);
  const [evaluations, setEvaluations] = useState(() => loadEvaluations(gameId, nodes));
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try begins again
  useEffect(() => {
    let known = loadEvaluations(gameId, nodes);
    if (known.length >= reviewed.positions.length) return;
    let isWanted = true;
    const engine = openEngine();
    const add = (evaluation: Evaluation) => {
      if (!isWanted) return;
      known = [...known, evaluation];
      // In slices, so that the page still answers to a press.
      startTransition(() => setEvaluations(known));
    };
    const keep = () => saveEvaluations(gameId, nodes, known);
    evaluateGame(engine, { rules, reviewed, known }, add).then(
      () => {
        engine.close();
        if (isWanted) keep();
      },
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
      engine.close();
      keep();
    };
  }, [gameId, nodes, rules, reviewed, tries]);

  return {
    evaluations,
    hasFailed,
    retry() {
      setFailed(false);
      setTries(tries + 1);
    },
  };
}
