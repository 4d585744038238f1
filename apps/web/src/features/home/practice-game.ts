import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import { assert } from "@holo/kernel/assert.ts";
import type { Move, Outcome, Seat, Square } from "@holo/rules/rules.ts";

/** Who practises has the white pieces, and so moves first (specification 2). */
export const PLAYER: Seat = 1;
export const COMPUTER: Seat = 2;

interface Ply {
  /** The position in which it was played. */
  readonly before: CheckersPosition;
  readonly move: Move;
}

/** A game against the computer: it lives on the page alone, and nothing is staked. */
export interface PracticeGame {
  readonly position: CheckersPosition;
  readonly plies: readonly Ply[];
  readonly outcome: Outcome | null;
}

export const NEW_PRACTICE: PracticeGame = { position: checkers.start(), plies: [], outcome: null };

/** Who is to move; null once the game is over. */
export function toTurn({ position, outcome }: PracticeGame): Seat | null {
  return outcome === null ? checkers.toMove(position) : null;
}

/** Plays a legal move of who is to move. The board offers no other, and the computer chooses no other. */
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

/**
 * The computer's move: any legal one, each path as likely as the others.
 * @param random a number from 0, less than 1
 */
export function chooseMove({ position }: PracticeGame, random: () => number): Move {
  const moves = checkers.legalMoves(position);
  const move = moves[Math.floor(random() * moves.length)];
  assert(move !== undefined, "the computer was to move where no move is left");
  return move;
}

/**
 * The game before the player's last move: two plies less, or one where the computer has not answered yet or had no answer left. Counters
 * and earlier positions on which draws hang go back with it. A game in which nothing was played stays as it is.
 */
export function takeBack(game: PracticeGame): PracticeGame {
  const kept = game.plies.length - (game.plies.length % 2 === 0 ? 2 : 1);
  const ply = game.plies[kept];
  return ply === undefined ? game : { position: ply.before, plies: game.plies.slice(0, kept), outcome: null };
}
