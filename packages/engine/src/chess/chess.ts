import { BISHOP, KNIGHT, QUEEN, ROOK } from "@holo/chess/board.ts";
import { chess } from "@holo/chess/chess.ts";
import { packMove } from "@holo/chess/moves.ts";
import { makeEngine } from "../game-engine.ts";
import { PLIES_MAX } from "../score.ts";
import { ChessTree } from "./chess-tree.ts";

const PROMOTIONS = { q: QUEEN, r: ROOK, b: BISHOP, n: KNIGHT } as const;

export const chessEngine = makeEngine({
  rules: chess,
  makeTree: () => new ChessTree(),
  toNumber: ({ path, promotion }) => packMove(path[0]!, path[1]!, promotion === undefined ? 0 : PROMOTIONS[promotion]),
  strengths: {
    1: { nodes: 1_000, depth: 1, noise: 300 },
    2: { nodes: 2_000, depth: 2, noise: 150 },
    3: { nodes: 4_000, depth: 3, noise: 80 },
    4: { nodes: 6_000, depth: 4, noise: 50 },
    5: { nodes: 16_000, depth: PLIES_MAX, noise: 2 },
  },
});
