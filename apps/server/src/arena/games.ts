import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";

const RULES: Readonly<Record<GameType, GameRules<unknown>>> = { checkers, chess };

/** The rules of a game; its positions are opaque to the arena. */
export function rulesOf(game: GameType): GameRules<unknown> {
  return RULES[game];
}
