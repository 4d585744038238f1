import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { type PracticeGame, toTurn } from "./practice-game.ts";

export interface Hint {
  /** The best move of the position that is shown, once it was asked for and found. */
  readonly move: Move | null;
  readonly isSearching: boolean;
  readonly announcement: string | null;
  /** Null while it is not the player's turn. */
  readonly ask: (() => void) | null;
}

interface Asked {
  readonly game: PracticeGame;
  readonly move: Move | null;
}

/** One hint per position: it goes with the next move. */
export function useHint(game: PracticeGame, findBest: (game: PracticeGame) => Promise<Move | null>): Hint {
  const [kept, setKept] = useState<Asked | null>(null);
  const asked = kept?.game === game ? kept : null;
  const move = asked?.move ?? null;

  async function ask(): Promise<void> {
    setKept({ game, move: null });
    try {
      const best = await findBest(game);
      setKept((now) => (now?.game === game ? { game, move: best } : now));
    } catch (fault) {
      // The player may ask again, and the game goes on.
      setKept(null);
      throw fault;
    }
  }

  return {
    move,
    isSearching: asked !== null && move === null,
    announcement: move === null ? null : `Hint: ${game.rules.describeMove(game.position, move)}.`,
    ask: toTurn(game) === game.player ? () => void ask() : null,
  };
}
