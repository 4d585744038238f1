import type { Move, Square } from "@holo/rules/rules.ts";

/** The chosen part of a move: the piece's square, then its landings so far. Empty for none. */
export type Chosen = readonly Square[];

export const NOTHING_CHOSEN: Chosen = [];

export type PressEffect =
  | { readonly type: "choose"; readonly chosen: Chosen }
  | { readonly type: "play"; readonly path: readonly Square[] }
  /** The press has no meaning; the selection stays. */
  | { readonly type: "keep" };

const KEEP: PressEffect = { type: "keep" };
const DESELECT: PressEffect = { type: "choose", chosen: NOTHING_CHOSEN };

/**
 * The effect of a press. Captures with equal ends are chosen landing by landing; a single remaining
 * path is played at once (ruling 13), as are paths that take the same pieces.
 */
export function pressSquare(moves: readonly Move[], chosen: Chosen, square: Square): PressEffect {
  const movable = toMovable(moves);
  if (chosen.length === 0) return movable.has(square) ? { type: "choose", chosen: [square] } : KEEP;
  if (chosen.length === 1 && square === chosen[0]) return DESELECT;
  const open = toOpenMoves(moves, chosen);
  const landing = open.filter((move) => move.path[chosen.length] === square);
  if (landing.length > 0) return chooseLandings(landing);
  const ending = open.filter((move) => move.path.at(-1) === square);
  if (ending.length > 0 && ending.every((move) => takesSame(move, ending[0]!)))
    return { type: "play", path: ending[0]!.path };
  if (square === chosen[0] || square === chosen.at(-1)) return DESELECT;
  return movable.has(square) ? { type: "choose", chosen: [square] } : KEEP;
}

/** A piece picked up during the opponent's turn stays held after their move. */
export function keepSelectedPiece(moves: readonly Move[], chosen: Chosen): Chosen {
  return chosen.length === 1 && toMovable(moves).has(chosen[0]!) ? chosen : NOTHING_CHOSEN;
}

function toOpenMoves(moves: readonly Move[], chosen: Chosen): readonly Move[] {
  return moves.filter((move) => chosen.every((square, index) => move.path[index] === square));
}

export function toMovable(moves: readonly Move[]): ReadonlySet<Square> {
  return new Set(moves.map((move) => move.path[0]!));
}

export function toLandings(moves: readonly Move[], chosen: Chosen): ReadonlyMap<Square, "quiet" | "capture"> {
  if (chosen.length === 0) return new Map();
  const open = toOpenMoves(moves, chosen);
  return new Map(open.map((move) => [move.path[chosen.length]!, move.captured.length > 0 ? "capture" : "quiet"]));
}

export function toVictims(moves: readonly Move[], chosen: Chosen, landing: Square | null): readonly Square[] {
  if (chosen.length === 0) return [];
  const through = landing === null ? chosen : [...chosen, landing];
  const [first, ...others] = toOpenMoves(moves, through);
  if (first === undefined) return [];
  return first.captured.filter((square) => others.every((move) => move.captured.includes(square)));
}

function chooseLandings(open: readonly Move[]): PressEffect {
  const [first, ...others] = open;
  const path = first!.path;
  if (others.length === 0) return { type: "play", path };
  const firstDifference = path.findIndex((square, index) => others.some((move) => move.path[index] !== square));
  return { type: "choose", chosen: path.slice(0, firstDifference) };
}

function takesSame(a: Move, b: Move): boolean {
  return a.captured.length === b.captured.length && a.captured.every((square) => b.captured.includes(square));
}
