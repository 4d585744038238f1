import type { Move, Square } from "@holo/rules/rules.ts";

/** The part of a move that is chosen so far: the piece's square, then the landings it has stepped through. Empty: nothing is held. */
export type Chosen = readonly Square[];

export const NOTHING_CHOSEN: Chosen = [];

export type Step =
  | { readonly type: "choose"; readonly chosen: Chosen }
  | { readonly type: "play"; readonly path: readonly Square[] }
  /** The square means nothing here; what is held stays held. */
  | { readonly type: "keep" };

const KEEP: Step = { type: "keep" };
const LET_GO: Step = { type: "choose", chosen: NOTHING_CHOSEN };

/**
 * What pressing a square does. Landings are stepped through one by one, so that captures which share both ends can each be chosen; as soon
 * as one path is left, it is played to its end (ruling 13). A far end may be pressed at once where every way there takes the same pieces.
 */
export function pressSquare(moves: readonly Move[], chosen: Chosen, square: Square): Step {
  const movable = toMovable(moves);
  if (chosen.length === 0) return movable.has(square) ? { type: "choose", chosen: [square] } : KEEP;
  if (chosen.length === 1 && square === chosen[0]) return LET_GO;
  const open = toOpenMoves(moves, chosen);
  const landing = open.filter((move) => move.path[chosen.length] === square);
  if (landing.length > 0) return stepInto(landing);
  const ending = open.filter((move) => move.path.at(-1) === square);
  if (ending.length > 0 && ending.every((move) => takesSame(move, ending[0]!)))
    return { type: "play", path: ending[0]!.path };
  if (square === chosen[0] || square === chosen.at(-1)) return LET_GO;
  return movable.has(square) ? { type: "choose", chosen: [square] } : KEEP;
}

/** A piece that was picked up while the opponent thought is still in hand when the answer comes. */
export function keepHeld(moves: readonly Move[], chosen: Chosen): Chosen {
  return chosen.length === 1 && toMovable(moves).has(chosen[0]!) ? chosen : NOTHING_CHOSEN;
}

/** The moves that go on from what is chosen. */
function toOpenMoves(moves: readonly Move[], chosen: Chosen): readonly Move[] {
  return moves.filter((move) => chosen.every((square, index) => move.path[index] === square));
}

export function toMovable(moves: readonly Move[]): ReadonlySet<Square> {
  return new Set(moves.map((move) => move.path[0]!));
}

/** Where the held piece may go next, and whether going there takes something. */
export function toLandings(moves: readonly Move[], chosen: Chosen): ReadonlyMap<Square, "quiet" | "capture"> {
  if (chosen.length === 0) return new Map();
  const open = toOpenMoves(moves, chosen);
  return new Map(open.map((move) => [move.path[chosen.length]!, move.captured.length > 0 ? "capture" : "quiet"]));
}

/** The pieces that are taken on every way that is still open, through `landing` where one is looked at. */
export function toVictims(moves: readonly Move[], chosen: Chosen, landing: Square | null): readonly Square[] {
  if (chosen.length === 0) return [];
  const through = landing === null ? chosen : [...chosen, landing];
  const [first, ...others] = toOpenMoves(moves, through);
  if (first === undefined) return [];
  return first.captured.filter((square) => others.every((move) => move.captured.includes(square)));
}

function stepInto(open: readonly Move[]): Step {
  const [first, ...others] = open;
  const path = first!.path;
  if (others.length === 0) return { type: "play", path };
  const parting = path.findIndex((square, index) => others.some((move) => move.path[index] !== square));
  return { type: "choose", chosen: path.slice(0, parting) };
}

function takesSame(a: Move, b: Move): boolean {
  return a.captured.length === b.captured.length && a.captured.every((square) => b.captured.includes(square));
}
