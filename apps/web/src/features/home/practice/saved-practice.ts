import type { Level } from "@holo/engine/engine.ts";
import { isGameType } from "@holo/rules/registry.ts";
import { type GameType, type Move, PROMOTIONS, type Seat } from "@holo/rules/rules.ts";
import { isSquare } from "@holo/rules/square.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";
import { isLevel, parseLevel } from "./levels.ts";
import { newPractice, type PracticeGame, playPly } from "./practice-game.ts";

/** What a player chooses for a game against the computer. */
export interface PracticeChoices {
  readonly game: GameType;
  readonly player: Seat;
  readonly level: Level;
}

/** A practice game as text keeps it. */
export interface SavedPractice extends PracticeChoices {
  readonly start: string | null;
  readonly moves: readonly Pick<Move, "path" | "promotion">[];
}

/** A computer that a newcomer beats, in the arena's first game. */
export const FIRST_CHOICES: PracticeChoices = { game: "checkers", player: 1, level: 1 };

export function toSaved({ rules, player, start, plies }: PracticeGame, level: Level): SavedPractice {
  const moves = plies.map(({ move: { path, promotion } }) =>
    promotion === undefined ? { path } : { path, promotion },
  );
  return { game: rules.game, player, level, start, moves };
}

/** Null for a text that `toSaved` did not make. `replay` says whether the moves are legal. */
export function parseSaved(text: string | null): SavedPractice | null {
  const { game, player, level, start, moves } = readObject(text);
  const isComplete =
    isGameType(game) &&
    (player === 1 || player === 2) &&
    isLevel(level) &&
    (start === null || typeof start === "string") &&
    Array.isArray(moves) &&
    moves.every(isSavedMove);
  return isComplete ? { game, player, level, start, moves } : null;
}

function readObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    // Not valid JSON: nothing was saved.
    return {};
  }
}

function isSavedMove(value: unknown): value is SavedPractice["moves"][number] {
  const { path, promotion } = Object(value);
  const isPath = Array.isArray(path) && path.length >= 2 && path.every(isSquare);
  return isPath && (promotion === undefined || PROMOTIONS.includes(promotion));
}

/** Null if the position or a move is not one of the game's. */
export function replay(rules: Rules, { player, start, moves }: SavedPractice): PracticeGame | null {
  let game = newPractice(rules, player);
  if (start !== null) {
    const parsed = rules.parsePosition(start);
    if (!parsed.ok) return null;
    game = { ...game, start, position: parsed.value, outcome: rules.outcome(parsed.value) };
  }
  for (const { path, promotion } of moves) {
    if (game.outcome !== null || !rules.play(game.position, path, promotion).ok) return null;
    game = playPly(game, path, promotion);
  }
  return game;
}

/** The game that an address asks for: `?game=chess&fen=…&as=black&level=3`, each part optional. */
export interface AskedPractice extends SavedPractice {
  /** Whether a part could not be read; its default is taken instead. */
  readonly isRefused: boolean;
}

/** Null for an address without such parts. */
export function parseAddress(search: string, usual: PracticeChoices): AskedPractice | null {
  const parts = new URLSearchParams(search);
  const game = parts.get("game") ?? usual.game;
  const as = parts.get("as");
  const level = parts.get("level");
  const fen = parts.get("fen");
  if (!["game", "as", "level", "fen"].some((name) => parts.has(name))) return null;
  const isSide = as === "white" || as === "black";
  const isRefused = !isGameType(game) || !(as === null || isSide) || (level !== null && parseLevel(level) === null);
  return {
    game: isGameType(game) ? game : usual.game,
    player: isSide ? (as === "white" ? 1 : 2) : usual.player,
    level: parseLevel(level ?? "") ?? usual.level,
    start: fen,
    moves: [],
    isRefused,
  };
}
