import { assert } from "@holo/kernel/assert.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { GameRules, Move } from "@holo/rules/rules.ts";
import type { Analysis, Engine, Level, Limits } from "./contract.ts";
import type { GameTree } from "./game-tree.ts";
import { DRAW, PLIES_MAX, WIN } from "./score.ts";
import { Search } from "./search.ts";

/** How a level thinks; level 0 does not. */
export interface Strength {
  readonly nodes: number;
  readonly depth: number;
  /** How far it misjudges a position at most, in hundredths. */
  readonly noise: number;
}

interface GameParts<Position> {
  readonly rules: GameRules<Position>;
  makeTree(): GameTree<Position>;
  /** The number by which the tree knows a move. */
  toNumber(move: Move): number;
  readonly strengths: Readonly<Record<Exclude<Level, 0>, Strength>>;
}

export function makeEngine<Position>(parts: GameParts<Position>): Engine<Position> {
  const { rules, strengths } = parts;
  let search: Search<Position> | null = null;

  function find(position: Position, limits: Strength, seed: number, without?: Move): Analysis {
    const outcome = rules.outcome(position);
    if (outcome !== null) {
      const score = outcome.type === "draw" ? DRAW : outcome.winner === rules.toMove(position) ? WIN : -WIN;
      return { move: null, score, line: [], depth: 0, nodes: 0 };
    }
    search ??= new Search(parts.makeTree());
    const found = search.run(position, {
      ...limits,
      seed,
      without: without === undefined ? null : parts.toNumber(without),
    });
    const line = toMoves(parts, position, found.line);
    assert(line.length > 0, "a game that is not over has a move");
    return { ...found, move: line[0]!, line };
  }

  return {
    analyse: (position, { nodes, depth = PLIES_MAX, without }: Limits) =>
      find(position, { nodes, depth, noise: 0 }, 0, without),
    chooseMove(position, level, seed) {
      const legal = rules.legalMoves(position);
      if (level === 0 || legal.length === 1) return legal[makeRandom(seed)(legal.length)]!;
      const { move } = find(position, strengths[level], seed);
      assert(move !== null, "the game is not over");
      return move;
    },
  };
}

function toMoves<Position>(
  { rules, toNumber }: GameParts<Position>,
  start: Position,
  numbers: readonly number[],
): readonly Move[] {
  const moves: Move[] = [];
  let position = start;
  for (const number of numbers) {
    const move = rules.legalMoves(position).find((one) => toNumber(one) === number);
    assert(move !== undefined, "the search plays legal moves");
    const played = rules.play(position, move.path, move.promotion);
    assert(played.ok, "a listed move is legal");
    moves.push(move);
    position = played.value.position;
  }
  return moves;
}
