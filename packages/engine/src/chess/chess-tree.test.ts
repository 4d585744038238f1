import { type ChessPosition, chess } from "@holo/chess/chess.ts";
import { perft } from "@holo/chess/perft.ts";
import { TRICKY_CASES, WIKI_CASES } from "@holo/chess/testing/perft-suites.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { expect, it } from "vitest";
import { ChessTree } from "./chess-tree.ts";

const COUNT_MAX = process.env.DEEP ? 10_000_000 : 20_000;

function positionOf(fen: string): ChessPosition {
  const position = chess.parsePosition(fen);
  if (!position.ok) throw new Error(`not a position: ${fen}`);
  return position.value;
}

function count(tree: ChessTree, depth: number, start: number): number {
  if (depth === 0) return 1;
  let total = 0;
  const end = tree.generate(start);
  for (let at = start; at < end; at += 1) {
    if (!tree.make(at)) continue;
    total += count(tree, depth - 1, end);
    tree.unmake();
  }
  return total;
}

it.each([...WIKI_CASES, ...TRICKY_CASES].map(({ name, fen, counts }) => ({ name, fen, counts })))(
  "the tree has the legal moves of $name",
  ({ fen, counts }) => {
    const tree = new ChessTree();
    tree.setRoot(positionOf(fen));
    for (const [depth, expected] of counts) {
      if (expected <= COUNT_MAX) expect(count(tree, depth, 0)).toBe(expected);
    }
  },
);

it("a played and taken back move leaves position and hashes as they were; a played one is the next root", () => {
  const random = makeRandom(1);
  const tree = new ChessTree();
  const other = new ChessTree();
  for (let game = 0; game < 4; game += 1) {
    let position = chess.start();
    tree.setRoot(position);
    for (let ply = 0; ply < 80 && chess.outcome(position) === null; ply += 1) {
      const before = [tree.key, tree.proof, tree.evaluate(), tree.isPressed()];
      const depth = ply % 16 === 0 ? 2 : 1;
      expect(count(tree, depth, 0)).toBe(perft(position, depth));
      expect([tree.key, tree.proof, tree.evaluate(), tree.isPressed()]).toEqual(before);
      const legal = chess.legalMoves(position);
      const move = legal[random(legal.length)]!;
      const played = chess.play(position, move.path, move.promotion);
      if (!played.ok) throw new Error("not legal");
      position = played.value.position;
      other.setRoot(position);
      const end = tree.generate(0);
      const reached = [];
      for (let at = 0; at < end; at += 1) {
        if (!tree.make(at)) continue;
        if (tree.proof === other.proof) reached.push([tree.key, tree.evaluate(), tree.isPressed()]);
        tree.unmake();
      }
      if (position.enPassant < 0 && ply > 0)
        expect(reached).toContainEqual([other.key, other.evaluate(), other.isPressed()]);
      tree.setRoot(position);
    }
  }
});
