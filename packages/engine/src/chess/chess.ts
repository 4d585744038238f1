import { BISHOP, KNIGHT, QUEEN, ROOK } from "@holo/chess/board.ts";
import { chess } from "@holo/chess/chess.ts";
import { packMove } from "@holo/chess/moves.ts";
import { makeEngine } from "../game-engine.ts";
import { ChessTree } from "./chess-tree.ts";

const PROMOTIONS = { q: QUEEN, r: ROOK, b: BISHOP, n: KNIGHT } as const;

export const chessEngine = makeEngine({
  rules: chess,
  makeTree: () => new ChessTree(),
  toNumber: ({ path, promotion }) => packMove(path[0]!, path[1]!, promotion === undefined ? 0 : PROMOTIONS[promotion]),
  strengths: {
    1: { nodes: 2_000, depth: 1, noise: 200 },
    2: { nodes: 5_000, depth: 2, noise: 100 },
    3: { nodes: 10_000, depth: 3, noise: 50 },
    4: { nodes: 20_000, depth: 5, noise: 20 },
    5: { nodes: 100_000, depth: 60, noise: 2 },
  },
});
