import type { Level } from "@holo/engine/engine.ts";
import type { Move } from "@holo/rules/rules.ts";
import { useCallback, useEffect, useRef } from "react";
import { openEngine } from "../../../shared/engine/engine.ts";
import type { OpenEngine } from "../../../shared/engine/engine-client.ts";
import { chooseAtRandom, newPractice, type PracticeGame } from "./practice-game.ts";
import { savePractice } from "./practice-storage.ts";

/** As many positions as the strongest level looks at. */
const HINT_NODES = 100_000;
const SEEDS = 2 ** 32;

/** Chooses the computer's moves and hints, in a worker that ends with the page. */
export function useComputer(level: Level) {
  const opened = useRef<OpenEngine | null>(null);
  useEffect(
    () => () => {
      opened.current?.close();
      opened.current = null;
    },
    [],
  );

  const chooseMove = useCallback(
    async (game: PracticeGame): Promise<Move> => {
      // Level 0 is the specification's computer, which needs no engine.
      if (level === 0) return chooseAtRandom(game, Math.random);
      const { rules, start, plies } = game;
      const seed = Math.floor(Math.random() * SEEDS);
      opened.current ??= openEngine();
      try {
        return await opened.current.choose(rules.game, start, plies.map(toPlayed), level, seed);
      } catch (fault) {
        // The page ends in its error note. A reload would meet the same position.
        savePractice(newPractice(rules, game.player), level);
        throw fault;
      }
    },
    [level],
  );
  const findBest = useCallback(async ({ rules, start, plies }: PracticeGame): Promise<Move | null> => {
    opened.current ??= openEngine();
    return (await opened.current.analyse(rules.game, start, plies.map(toPlayed), { nodes: HINT_NODES })).move;
  }, []);
  return { chooseMove, findBest };
}

function toPlayed({ move: { path, promotion } }: PracticeGame["plies"][number]): Pick<Move, "path" | "promotion"> {
  return promotion === undefined ? { path } : { path, promotion };
}
