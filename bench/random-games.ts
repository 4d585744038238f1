import { assert } from "@holo/kernel/assert.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { GameRules, Move } from "@holo/rules/rules.ts";

export type RandomGame = readonly Move[];

/** Random legal games of at most `plies`. Games that end earlier are kept only if `orShorter`. */
export function makeRandomGames<Position>(
  rules: GameRules<Position>,
  options: { readonly count: number; readonly plies: number; readonly orShorter: boolean; readonly seed: number },
): readonly RandomGame[] {
  const random = makeRandom(options.seed);
  const games: RandomGame[] = [];
  while (games.length < options.count) {
    const game = playRandomly(rules, options.plies, random);
    if (options.orShorter || game.length === options.plies) games.push(game);
  }
  return games;
}

function playRandomly<Position>(
  rules: GameRules<Position>,
  pliesMax: number,
  random: (below: number) => number,
): RandomGame {
  const moves: Move[] = [];
  let position = rules.start();
  while (moves.length < pliesMax && rules.outcome(position) === null) {
    const legal = rules.legalMoves(position);
    const move = legal[random(legal.length)]!;
    const played = rules.play(position, move.path, move.promotion);
    assert(played.ok, "a move that was listed is legal");
    moves.push(move);
    position = played.value.position;
  }
  // The last move must not end the game.
  if (rules.outcome(position) !== null && moves.length === pliesMax) moves.pop();
  return moves;
}
