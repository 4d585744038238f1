import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import { assert } from "@holo/kernel/assert.ts";
import type { Move, Outcome, Seat, Square } from "@holo/rules/rules.ts";

/** The player is white and moves first (specification 2). */
export const PLAYER: Seat = 1;
export const COMPUTER: Seat = 2;

interface Ply {
  readonly before: CheckersPosition;
  readonly move: Move;
}

/** A game against the computer. It exists only on this page and has no stake. */
export interface PracticeGame {
  readonly position: CheckersPosition;
  readonly plies: readonly Ply[];
  readonly outcome: Outcome | null;
}

export const NEW_PRACTICE: PracticeGame = { position: checkers.start(), plies: [], outcome: null };

export function toTurn({ position, outcome }: PracticeGame): Seat | null {
  return outcome === null ? checkers.toMove(position) : null;
}

/** Throws if the move is illegal or the game is over. */
export function playPly(game: PracticeGame, path: readonly Square[]): PracticeGame {
  assert(game.outcome === null, "a practice game that is over was played on");
  const played = checkers.play(game.position, path);
  assert(played.ok, "a move was played in practice that is not legal");
  const { position, move } = played.value;
  return {
    position,
    plies: [...game.plies, { before: game.position, move }],
    outcome: checkers.outcome(position),
  };
}

/** A legal move, uniformly distributed. `random` returns a number in [0, 1). */
export function chooseMove({ position }: PracticeGame, random: () => number): Move {
  const moves = checkers.legalMoves(position);
  const move = moves[Math.floor(random() * moves.length)];
  assert(move !== undefined, "the computer was to move where no move is left");
  return move;
}

/**
 * The game before the player's last move, including the draw counters. Undoes one ply if the
 * computer has not answered, else two.
 */
export function takeBack(game: PracticeGame): PracticeGame {
  const remaining = game.plies.length - (game.plies.length % 2 === 0 ? 2 : 1);
  const ply = game.plies[remaining];
  return ply === undefined ? game : { position: ply.before, plies: game.plies.slice(0, remaining), outcome: null };
}
