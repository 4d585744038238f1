import { assert } from "@holo/kernel/assert.ts";
import type { Move, Outcome, Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";

interface Ply {
  readonly before: unknown;
  readonly move: Move;
  /** In the game's notation. */
  readonly text: string;
}

/** A game against the computer. It exists only on this device and has no stake. */
export interface PracticeGame {
  readonly rules: Rules;
  /** The person's; the computer has the other one. */
  readonly player: Seat;
  /** FEN of a position that was set up; null for the start of the game. */
  readonly start: string | null;
  readonly position: unknown;
  readonly plies: readonly Ply[];
  readonly outcome: Outcome | null;
}

export function newPractice(rules: Rules, player: Seat = 1): PracticeGame {
  return { rules, player, start: null, position: rules.start(), plies: [], outcome: null };
}

/** The same game before its first move. */
export function restart(game: PracticeGame): PracticeGame {
  const position = game.plies[0]?.before ?? game.position;
  return { ...game, position, plies: [], outcome: game.rules.outcome(position) };
}

export function toTurn({ rules, position, outcome }: PracticeGame): Seat | null {
  return outcome === null ? rules.toMove(position) : null;
}

/** Throws if the move is illegal or the game is over. */
export function playPly(game: PracticeGame, path: readonly Square[], promotion?: Promotion): PracticeGame {
  const { rules } = game;
  assert(game.outcome === null, "a practice game that is over was played on");
  const played = rules.play(game.position, path, promotion);
  assert(played.ok, "a move was played in practice that is not legal");
  const { position, move } = played.value;
  return {
    ...game,
    position,
    plies: [...game.plies, { before: game.position, move, text: rules.formatMove(game.position, move) }],
    outcome: rules.outcome(position),
  };
}

/** A legal move, uniformly distributed. `random` returns a number in [0, 1). */
export function chooseAtRandom({ rules, position }: PracticeGame, random: () => number): Move {
  const moves = rules.legalMoves(position);
  const move = moves[Math.floor(random() * moves.length)];
  assert(move !== undefined, "the computer was to move where no move is left");
  return move;
}

/**
 * The game before the player's last move, including the draw counters. Undoes one ply if the
 * computer has not answered, else two. Unchanged if the player has not moved.
 */
export function takeBack(game: PracticeGame): PracticeGame {
  const { rules, player, plies } = game;
  const remaining = plies.findLastIndex(({ before }) => rules.toMove(before) === player);
  const ply = plies[remaining];
  return ply === undefined ? game : { ...game, position: ply.before, plies: plies.slice(0, remaining), outcome: null };
}
