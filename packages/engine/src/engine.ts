import { assert } from "@holo/kernel/assert.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Engine } from "./contract.ts";

export { type Analysis, type Engine, LEVELS, type Level, type Limits } from "./contract.ts";
export { WIN } from "./score.ts";

interface GameEntry {
  /** The advantage that wins three games of four, in hundredths. */
  readonly clearAdvantage: number;
  load(): Promise<Engine<unknown>>;
}

/** By game. Each is loaded on its own, so that a page has the one it plays. */
const GAMES: ReadonlyMap<GameType, GameEntry> = new Map<GameType, GameEntry>([
  ["checkers", { clearAdvantage: 90, load: async () => (await import("./checkers/checkers.ts")).checkersEngine }],
  ["chess", { clearAdvantage: 280, load: async () => (await import("./chess/chess.ts")).chessEngine }],
]);

export function loadEngine(game: GameType): Promise<Engine<unknown>> {
  return entryOf(game).load();
}

/** What the side to move may expect of the game: 0 a loss, 0.5 a draw, 1 a win. */
export function toWinChance(score: number, game: GameType): number {
  return 1 / (1 + 3 ** (-score / entryOf(game).clearAdvantage));
}

function entryOf(game: GameType): GameEntry {
  const entry = GAMES.get(game);
  assert(entry !== undefined, `there is no engine for "${game}"`);
  return entry;
}
