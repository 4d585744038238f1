import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Engine, type Level, loadEngine } from "@holo/engine/engine.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Draw } from "./draw.ts";

export const GAMES = ["checkers", "chess"] as const;
export type Game = (typeof GAMES)[number];

/** How someone plays. `engine`: as the program says; `critical`: so in some positions only. */
export type Skill = Level | "engine" | "critical";

interface Ply {
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
  /** How many legal moves there were: one is played at once. */
  readonly choices: number;
}

/** A game that two skills played, with the engine's score of each position for white. */
export interface Line {
  readonly plies: readonly Ply[];
  /** After so many plies; null where the engine was not asked. */
  readonly scores: readonly (number | null)[];
  /** By the rules; null if it was broken off. */
  readonly winner: Seat | "draw" | null;
}

/** Games that the population plays, made as they are wanted and kept in a folder. */
export interface Library {
  /** One of several lines of these skills. */
  find(game: Game, white: Skill, black: Skill, draw: Draw): Promise<Line>;
}

const PLIES_MAX = 110;
const SCORE_NODES = 2_500;
const QUICK_NODES = 150;
const ENGINE_NODES = 12_000;
/** One of so many positions is a critical one. */
const CRITICAL = 5;
const SCORED_FROM = 6;
/** Both know how it ends: no one here plays on for long. */
const DECIDED = 900;
const DECIDED_PLIES = 6;
const VERSION = 1;

export interface LibraryOptions {
  /** Where lines are kept. */
  readonly folder: string;
  readonly linesPerPairing: number;
  /** Everyone plays as beginners do, which is made in a moment. For tests. */
  readonly isQuick?: boolean;
}

export function openLibrary({ folder, linesPerPairing, isQuick = false }: LibraryOptions): Library {
  const known = new Map<string, Line[]>();
  mkdirSync(folder, { recursive: true });

  function loadKnown(key: string): Line[] {
    const file = path.join(folder, `${VERSION}-${key}.json`);
    const lines = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Line[]) : [];
    known.set(key, lines);
    return lines;
  }

  return {
    async find(game, ...given) {
      const draw = given[2];
      const [white, black] = isQuick ? [toQuick(given[0]), toQuick(given[1])] : given;
      const key = `${game}-${white}-${black}`;
      const lines = known.get(key) ?? loadKnown(key);
      const wanted = Math.floor(draw.unit() * linesPerPairing);
      while (lines.length <= wanted) {
        lines.push(await play(game, white, black, 7_919 * lines.length + 13, isQuick ? QUICK_NODES : SCORE_NODES));
        if (lines.length === linesPerPairing || lines.length > wanted)
          writeFileSync(path.join(folder, `${VERSION}-${key}.json`), JSON.stringify(lines));
      }
      return lines[wanted]!;
    },
  };
}

const toQuick = (skill: Skill): Skill => (skill === 0 || skill === 1 ? skill : 2);

async function play(game: Game, white: Skill, black: Skill, seed: number, nodes: number): Promise<Line> {
  const engine = await loadEngine(game);
  const rules = rulesOf(game);
  const plies: Ply[] = [];
  const scores: (number | null)[] = [null];
  let position: unknown = rules.start();
  let decided = 0;
  for (let ply = 0; ply < PLIES_MAX && decided < DECIDED_PLIES; ply += 1) {
    if (rules.outcome(position) !== null) break;
    const seat = rules.toMove(position);
    const move = choose(engine, position, seat === 1 ? white : black, seed + ply);
    const choices = rules.legalMoves(position).length;
    const { promotion } = move;
    plies.push({ path: move.path, choices, ...(promotion === undefined ? {} : { promotion }) });
    const played = rules.play(position, move.path, promotion);
    if (!played.ok) throw new Error("the engine plays legal moves");
    position = played.value.position;
    const score = plies.length < SCORED_FROM ? null : scoreForWhite(engine, position, rules.toMove(position), nodes);
    scores.push(score);
    decided = score !== null && Math.abs(score) >= DECIDED ? decided + 1 : 0;
    // The event loop also serves the database.
    if (ply % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const outcome = rules.outcome(position);
  return { plies, scores, winner: outcome === null ? null : outcome.type === "draw" ? "draw" : outcome.winner };
}

function choose(engine: Engine<unknown>, position: unknown, skill: Skill, seed: number) {
  if (typeof skill === "number") return engine.chooseMove(position, skill, seed);
  if (skill === "critical" && seed % CRITICAL !== 0) return engine.chooseMove(position, 3, seed);
  const { move } = engine.analyse(position, { nodes: ENGINE_NODES });
  return move ?? engine.chooseMove(position, 5, seed);
}

function scoreForWhite(engine: Engine<unknown>, position: unknown, toMove: Seat, nodes: number): number {
  const { score } = engine.analyse(position, { nodes });
  return toMove === 1 ? score : -score;
}

/** The score of the position after so many plies, for this seat; null: the engine was not asked. */
export function scoreFor({ scores }: Line, plies: number, seat: Seat): number | null {
  const score = scores[plies] ?? null;
  return score === null ? null : seat === 1 ? score : -score;
}
