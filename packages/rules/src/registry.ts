import { CHECKERS } from "@holo/checkers/game.ts";
import { CHESS } from "@holo/chess/game.ts";
import { assert } from "@holo/kernel/assert.ts";
import type { Game } from "./game.ts";
import type { GameType } from "./rules.ts";

/** The games of the arena, in the order in which they are offered. A new game is a line here. */
export const GAMES: readonly Game[] = [CHECKERS, CHESS];

export function isGameType(value: unknown): value is GameType {
  return GAMES.some(({ id }) => id === value);
}

export function gameOf(id: GameType): Game {
  const game = GAMES.find((one) => one.id === id);
  assert(game !== undefined, `there is no game "${id}"`);
  return game;
}

export function listGameTypes(): readonly GameType[] {
  return GAMES.map(({ id }) => id);
}
