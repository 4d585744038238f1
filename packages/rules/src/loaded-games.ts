import { assert } from "@holo/kernel/assert.ts";
import { type GameNotation, toNotation } from "./pgn-pdn.ts";
import { GAMES } from "./registry.ts";
import type { GameRules, GameType } from "./rules.ts";

interface LoadedGame {
  readonly rules: GameRules<unknown>;
  readonly notation: GameNotation;
}

/** For programs that need every game at once: a server's move waits for no file. */
const LOADED = new Map<GameType, LoadedGame>();
await loadGames();

/** Loads the games of the registry that are not loaded yet. */
export async function loadGames(): Promise<void> {
  for (const { id, loadRules } of GAMES) {
    if (LOADED.has(id)) continue;
    const rules = await loadRules();
    LOADED.set(id, { rules, notation: toNotation(rules) });
  }
}

export function rulesOf(game: GameType): GameRules<unknown> {
  return loadedOf(game).rules;
}

export function notationOf(game: GameType): GameNotation {
  return loadedOf(game).notation;
}

function loadedOf(game: GameType): LoadedGame {
  const loaded = LOADED.get(game);
  assert(loaded !== undefined, `the game "${game}" is not loaded`);
  return loaded;
}
