import { checkers } from "@holo/checkers/checkers.ts";
import { listDistinctMoves } from "@holo/checkers/perft.ts";
import { setups, toPosition } from "@holo/checkers/testing/arbitrary.ts";
import { START_PERFT } from "@holo/checkers/testing/perft-table.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { CheckersTree } from "./checkers-tree.ts";

// Two ways round, over other pieces, that end where they began.
const CIRCLE = "..............a....a......B...a...........a..........a..........";

function count(tree: CheckersTree, depth: number, start: number): number {
  if (depth === 0) return 1;
  let total = 0;
  const end = tree.generate(start);
  for (let at = start; at < end; at += 1) {
    tree.make(at);
    total += count(tree, depth - 1, end);
    tree.unmake();
  }
  return total;
}

it("the tree has the moves of the rules from the start", () => {
  const tree = new CheckersTree();
  tree.setRoot(checkers.start());
  for (const { depth, nodes } of START_PERFT.slice(0, 6)) expect(count(tree, depth, 0)).toBe(nodes);
});

it("the tree has the moves of the rules in any position, each with a number of its own", () => {
  const tree = new CheckersTree();
  fc.assert(
    fc.property(setups, (setup) => {
      const position = toPosition(setup);
      tree.setRoot(position);
      const end = tree.generate(0);
      expect(end).toBe(listDistinctMoves(position).length);
      expect(new Set(tree.moves.subarray(0, end)).size).toBe(end);
    }),
    { examples: [[{ board: CIRCLE, turn: 2 }]] },
  );
});
