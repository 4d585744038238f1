import { toIndex } from "@holo/checkers/board.ts";
import { checkers } from "@holo/checkers/checkers.ts";
import { makeEngine } from "../game-engine.ts";
import { CheckersTree, numberMove } from "./checkers-tree.ts";

export const checkersEngine = makeEngine({
  rules: checkers,
  makeTree: () => new CheckersTree(),
  toNumber({ path, captured }) {
    const taken = captured.reduce((set, square) => set | (1 << toIndex(square)), 0);
    return numberMove(toIndex(path[0]!), toIndex(path.at(-1)!), taken);
  },
  strengths: {
    1: { nodes: 2_000, depth: 1, noise: 120 },
    2: { nodes: 5_000, depth: 2, noise: 60 },
    3: { nodes: 10_000, depth: 4, noise: 30 },
    4: { nodes: 20_000, depth: 6, noise: 15 },
    5: { nodes: 100_000, depth: 60, noise: 2 },
  },
});
