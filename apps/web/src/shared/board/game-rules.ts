// Most games are checkers: its rules are in the page's chunk. Others are loaded with a first game.
import "@holo/checkers/checkers.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameRules, GameType } from "@holo/rules/rules.ts";
import { loadChunk } from "../../lib/chunks/load-chunk.ts";

export type Rules = GameRules<unknown>;

export async function loadRules(game: GameType): Promise<Rules> {
  return await loadChunk(gameOf(game).loadRules);
}
