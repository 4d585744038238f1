import { checkers } from "@holo/checkers/checkers.ts";
import { assertNever } from "@holo/kernel/assert.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";
import { loadChunk } from "../../lib/chunks/load-chunk.ts";

export type Rules = GameRules<unknown>;

/** Checkers is in the page's chunk; chess is loaded with the first chess game. */
export async function loadRules(game: GameType): Promise<Rules> {
  switch (game) {
    case "checkers":
      return checkers;
    case "chess":
      return (await loadChunk(() => import("@holo/chess/chess.ts"))).chess;
    default:
      return assertNever(game);
  }
}
