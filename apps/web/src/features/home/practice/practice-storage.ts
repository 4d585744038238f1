import type { Level } from "@holo/engine/engine.ts";
import { loadRules } from "../../../shared/board/game-rules.ts";
import { newPractice, type PracticeGame } from "./practice-game.ts";
import { FIRST_CHOICES, parseAddress, parseSaved, replay, toSaved } from "./saved-practice.ts";

const KEY = "holo.practice";

export interface OpenedPractice {
  readonly game: PracticeGame;
  readonly level: Level;
  /** The address asked for something that cannot be played. */
  readonly isRefused: boolean;
}

/** What the address asks for, else the game that was saved on this device, else a new one. */
export async function openPractice(search: string): Promise<OpenedPractice> {
  const saved = parseSaved(readSaved());
  const asked = parseAddress(search, saved ?? FIRST_CHOICES);
  const wanted = asked ?? saved ?? { ...FIRST_CHOICES, start: null, moves: [] };
  const rules = await loadRules(wanted.game);
  const game = asked?.isRefused === true ? null : replay(rules, wanted);
  const isRefused = asked !== null && game === null;
  return { game: game ?? newPractice(rules, wanted.player), level: wanted.level, isRefused };
}

export function savePractice(game: PracticeGame, level: Level): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(toSaved(game, level)));
  } catch {
    // Storage is blocked: the game lasts until the page is closed.
  }
}

function readSaved(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is blocked: nothing was saved.
    return null;
  }
}
