import { checkers } from "@holo/checkers/checkers.ts";
import { assertNever } from "@holo/kernel/assert.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";
import { loadPart } from "./part.ts";

/** The rules of a game whose positions nobody here looks into. */
export type Rules = GameRules<unknown>;

/** Checkers are at hand at once; chess is fetched with the first chess game. */
export async function loadRules(game: GameType): Promise<Rules> {
  switch (game) {
    case "checkers":
      return checkers;
    case "chess":
      return (await loadPart(() => import("@holo/chess/chess.ts"))).chess;
    default:
      return assertNever(game);
  }
}
