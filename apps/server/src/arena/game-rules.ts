import { checkers } from "@holo/checkers/checkers.ts";
import { pdn } from "@holo/checkers/pdn.ts";
import { chess } from "@holo/chess/chess.ts";
import { pgn } from "@holo/chess/pgn.ts";
import type { GameNotation } from "@holo/rules/pgn-pdn.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";

const RULES: Readonly<Record<GameType, GameRules<unknown>>> = { checkers, chess };
const NOTATIONS: Readonly<Record<GameType, GameNotation>> = { checkers: pdn, chess: pgn };

export function rulesOf(game: GameType): GameRules<unknown> {
  return RULES[game];
}

/** PGN for chess, PDN for checkers. */
export function notationOf(game: GameType): GameNotation {
  return NOTATIONS[game];
}
