import type { Level } from "@holo/engine/engine.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Draw } from "./draw.ts";
import { type Game, type Library, type Line, type Skill, scoreFor } from "./library.ts";

/** What is played: the moves of a line up to a ply, then an end. */
export interface GamePlan {
  readonly line: Line;
  readonly plies: number;
  readonly end: "resign" | "flag" | "rules" | "agreement";
  /** Null: a draw. */
  readonly loser: Seat | null;
  /** The loser's connection is lost before the end. */
  readonly isOffline?: boolean;
}

/** Whose seat is lost, and whose is not (ruling 55), by the engine's score of the library. */
const LOST: Readonly<Record<Game, number>> = { chess: -350, checkers: -180 };
const NOT_LOST: Readonly<Record<Game, number>> = { chess: -90, checkers: -50 };
const PLIES_MIN = 10;
const TRIES = 6;

export function toLevel(strength: number): Level {
  if (strength < 1_250) return 1;
  // Level 4 finds nearly all moves that the engine finds, which people do not.
  return strength < 1_500 ? 2 : 3;
}

export interface Sides {
  readonly game: Game;
  /** By seat. */
  readonly skills: readonly [Skill, Skill];
}

/** The loser sees that the game is lost, and resigns, lets the clock run out or plays on. */
export async function planLoss(library: Library, draw: Draw, { game, skills }: Sides, loser: Seat): Promise<GamePlan> {
  let tried: readonly [Skill, Skill] = skills;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const line = await library.find(game, tried[0], tried[1], draw);
    const lostAt = findLostPly(line, loser, game);
    if (lostAt !== null) return endLost(draw, line, lostAt, loser, game);
    // On another day the loser plays worse, and the winner better.
    if (attempt >= 2) tried = loser === 1 ? [1, stronger(skills[1])] : [stronger(skills[0]), 1];
  }
  const line = await library.find(game, loser === 1 ? 0 : 3, loser === 1 ? 3 : 0, draw);
  const lostAt = findLostPly(line, loser, game) ?? line.plies.length;
  return endLost(draw, line, lostAt, loser, game);
}

const stronger = (skill: Skill): Skill => (typeof skill === "number" && skill < 3 ? 3 : skill);

/** From where on the seat is lost for good; null if it never is. */
function findLostPly(line: Line, loser: Seat, game: Game): number | null {
  if (line.winner !== null && line.winner !== "draw" && line.winner !== loser) {
    const last = findFirstLost(line, loser, game);
    return last ?? line.plies.length;
  }
  return line.winner === loser ? null : findFirstLost(line, loser, game);
}

function findFirstLost(line: Line, loser: Seat, game: Game): number | null {
  let first: number | null = null;
  for (let plies = line.scores.length - 1; plies >= PLIES_MIN; plies -= 1) {
    const score = scoreFor(line, plies, loser);
    if (score === null) continue;
    if (score > LOST[game]) break;
    first = plies;
  }
  return first;
}

function endLost(draw: Draw, line: Line, lostAt: number, loser: Seat, game: Game): GamePlan {
  const last = line.plies.length;
  if (line.winner !== null && draw.chance(0.15)) return { line, plies: last, end: "rules", loser };
  let plies = Math.min(last - (line.winner === null ? 0 : 1), lostAt + draw.whole(0, 8));
  const isFlag = draw.chance(0.25);
  // Only the clock of the player to move runs out.
  if (isFlag && toMove(plies) !== loser) plies += plies > lostAt || plies === last ? -1 : 1;
  if (plies >= last && line.winner !== null) return { line, plies: last, end: "rules", loser };
  const isLost = (scoreFor(line, plies, loser) ?? LOST[game]) <= LOST[game];
  return { line, plies, end: isFlag && isLost && toMove(plies) === loser ? "flag" : "resign", loser };
}

const toMove = (plies: number): Seat => (plies % 2 === 0 ? 1 : 2);

/** The loser leaves about there, in a position that is not lost. */
export async function planThrown(
  library: Library,
  draw: Draw,
  { game, skills }: Sides,
  loser: Seat,
  wanted: number,
  end: "resign" | "flag",
): Promise<GamePlan> {
  for (let attempt = 0; ; attempt += 1) {
    const line = await library.find(game, skills[0], skills[1], draw);
    const last = line.plies.length - 1;
    for (let away = 0; away <= last; away += 1) {
      for (const plies of [wanted - away, wanted + away]) {
        if (plies < 6 || plies > last || (end === "flag" && toMove(plies) !== loser)) continue;
        const score = scoreFor(line, plies, loser);
        if (score !== null && score > NOT_LOST[game]) return { line, plies, end, loser };
      }
    }
    if (attempt > 20) return { line, plies: 6, end: "resign", loser };
  }
}

export async function planDraw(library: Library, draw: Draw, { game, skills }: Sides): Promise<GamePlan> {
  const line = await library.find(game, skills[0], skills[1], draw);
  const plies = Math.min(line.plies.length - 1, draw.whole(24, 60));
  return { line, plies, end: "agreement", loser: null };
}
