import { toIndex } from "@holo/checkers/board.ts";
import { checkers } from "@holo/checkers/checkers.ts";
import { makeEngine } from "../game-engine.ts";
import { PLIES_MAX } from "../score.ts";
import { CheckersTree, numberMove } from "./checkers-tree.ts";

export const checkersEngine = makeEngine({
  rules: checkers,
  makeTree: () => new CheckersTree(),
  toNumber({ path, captured }) {
    const taken = captured.reduce((set, square) => set | (1 << toIndex(square)), 0);
    return numberMove(toIndex(path[0]!), toIndex(path.at(-1)!), taken);
  },
  strengths: {
    1: { nodes: 1_000, depth: 1, noise: 180 },
    2: { nodes: 2_000, depth: 2, noise: 70 },
    3: { nodes: 4_000, depth: 3, noise: 50 },
    4: { nodes: 6_000, depth: 5, noise: 20 },
    5: { nodes: 60_000, depth: PLIES_MAX, noise: 2 },
  },
});
