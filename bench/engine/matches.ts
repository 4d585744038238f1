import { setImmediate } from "node:timers/promises";
import { assert } from "@holo/kernel/assert.ts";
import { makeRandom, type Random } from "@holo/kernel/random.ts";
import type { GameRules, Move, Seat } from "@holo/rules/rules.ts";

/** Chooses a move; the same seed gives the same move. */
export type Mover<Position> = (position: Position, seed: number) => Move;

export interface Results {
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
}

/** Random moves at the start of a game, so that no two are alike. */
const OPENING_PLIES = 4;
/** A game that is longer counts as a draw. */
const PLIES_MAX = 240;

/** The results of `mover` over `games`: each opening is played twice, with colours exchanged. */
export async function playMatch<Position>(
  rules: GameRules<Position>,
  mover: Mover<Position>,
  opponent: Mover<Position>,
  { games, seed }: { readonly games: number; readonly seed: number },
): Promise<Results> {
  const random = makeRandom(seed);
  const results = { won: 0, drawn: 0, lost: 0 };
  for (let game = 0; game < games; game += 2) {
    // Else the process could not be interrupted.
    await setImmediate();
    const opening = openRandomly(rules, random);
    for (const seat of [1, 2] as const) {
      const winner = playOut(rules, opening, seat === 1 ? [mover, opponent] : [opponent, mover], random);
      results[winner === null ? "drawn" : winner === seat ? "won" : "lost"] += 1;
    }
  }
  return results;
}

function openRandomly<Position>(rules: GameRules<Position>, random: Random): Position {
  let position = rules.start();
  for (let ply = 0; ply < OPENING_PLIES; ply += 1) {
    const legal = rules.legalMoves(position);
    position = play(rules, position, legal[random(legal.length)]!);
  }
  return position;
}

function playOut<Position>(
  rules: GameRules<Position>,
  opening: Position,
  movers: readonly [Mover<Position>, Mover<Position>],
  random: Random,
): Seat | null {
  let position = opening;
  for (let ply = 0; ply < PLIES_MAX; ply += 1) {
    const outcome = rules.outcome(position);
    if (outcome !== null) return outcome.type === "win" ? outcome.winner : null;
    const mover = movers[rules.toMove(position) - 1]!;
    position = play(rules, position, mover(position, random(2 ** 31)));
  }
  return null;
}

function play<Position>(rules: GameRules<Position>, position: Position, move: Move): Position {
  const played = rules.play(position, move.path, move.promotion);
  assert(played.ok, "a mover chooses a legal move");
  return played.value.position;
}
