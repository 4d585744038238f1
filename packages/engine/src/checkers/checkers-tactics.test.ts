import { countSquares } from "@holo/checkers/board.ts";
import { type CheckersPosition, checkers } from "@holo/checkers/checkers.ts";
import type { Move } from "@holo/rules/rules.ts";
import { expect, it } from "vitest";
import { WIN } from "../score.ts";
import { checkersEngine } from "./checkers.ts";

const NODES_MAX = 30_000;

/** Masters' games, textbook lessons and two exercises, each with one move that wins material. */
const POSITIONS = [
  ["Kuperman against Mirotin", "W:Wb6,f4,a3,c3,e3,g3,b2,g1:Bd8,f8,c7,d6,h6,a5,e5,h4", "e3-d4", 5],
  ["Kuperman against Berak", "W:Wa5,b4,a3,f2,a1,g1:Bh8,c7,d6,d4,f4", "a1-b2", 7],
  ["Tyunev against Blinder", "B:Wb6,f4,c3,f2:Bf8,e7,d6,h4", "d6-e5", 5],
  ["Polousov against Kazas", "W:Wa3,c3,g3,b2,f2,h2,c1,e1,g1:Bb8,f8,h8,a7,e7,b6,d6,c5,e5,f4", "a3-b4", 5],
  ["Polousov against Kazas, later", "W:Wc3,g3,b2,f2,h2,c1,e1,g1:Bb8,f8,h8,a7,e7,b6,d6,e5,f4,a3", "c1-d2", 5],
  ["a trap of the Reverse Kol", "B:Wa5,b4,h4,a3,b2,d2,f2,h2,c1,e1,g1:Bb8,d8,f8,h8,c7,e7,g7,b6,c5,e5,f4", "e7-f6", 5],
  ["an attack at the edge", "W:Wb4,d4:Bb6,h8", "b4-a5", 7],
  ["a step between two men", "B:Wc3,e5:Bc5", "c5-d4", 5],
  ["an exercise after the City game", "W:Wh6,a3,c3,e3,b2,h2,e1,g1:Bb8,f8,a7,c7,b6,d6,f6,h4", "h2-g3", 5],
  ["a shot of four men", "B:Wh6,b4,d4,f4,a3,e3,d2,f2,a1,c1,g1:Bb8,f8,h8,a7,c7,g7,b6,c5,g5", "g5-h4", 5],
] as const;

/** Three kings in Petrov's triangle catch a lone one; these positions and their mirror images. */
const TRIANGLES = ["W:WKc3,Kd6,Ke3:BKh4", "W:WKc3,Kd6,Ke3:BKa5", "B:WKa5:BKf6,Ke3,Kd6", "B:WKh4:BKf6,Ke3,Kd6"];

function positionOf(fen: string): CheckersPosition {
  const position = checkers.parsePosition(fen);
  if (!position.ok) throw new Error(`not a position: ${fen}`);
  return position.value;
}

function after(position: CheckersPosition, move: Move): CheckersPosition {
  const played = checkers.play(position, move.path);
  if (!played.ok) throw new Error("not legal");
  return played.value.position;
}

function countMaterial({ white, black, kings, turn }: CheckersPosition): number {
  const ahead =
    countSquares(white) - countSquares(black) + 2 * (countSquares(white & kings) - countSquares(black & kings));
  return turn === 1 ? ahead : -ahead;
}

/** The material after `depth` quiet moves and all captures between: every line, by the rules alone. */
function exhaust(position: CheckersPosition, depth: number, alpha: number, beta: number): number {
  const moves = checkers.legalMoves(position);
  if (moves.length === 0) return -50;
  const isQuiet = moves[0]!.captured.length === 0;
  if (isQuiet && depth === 0) return countMaterial(position);
  let best = -99;
  for (const move of moves) {
    const left = isQuiet ? depth - 1 : depth;
    best = Math.max(best, -exhaust(after(position, move), left, -beta, -Math.max(alpha, best)));
    if (best >= beta) break;
  }
  return best;
}

it.each(POSITIONS)("solves %s", (_name, fen, best, depth) => {
  const position = positionOf(fen);
  const { move } = checkersEngine.analyse(position, { nodes: NODES_MAX });
  expect(move && checkers.formatMove(position, move)).toBe(best);
  const values = checkers
    .legalMoves(position)
    .map((one) => ({
      text: checkers.formatMove(position, one),
      value: -exhaust(after(position, one), depth - 1, -99, 99),
    }))
    .sort((a, b) => b.value - a.value);
  expect(values[0]!.text).toBe(best);
  expect(values[0]!.value).toBeGreaterThan(values[1]!.value);
});

it.each(TRIANGLES)("catches the lone king of %s", (fen) => {
  const { score } = checkersEngine.analyse(positionOf(fen), { nodes: 100_000 });
  expect(score).toBe(WIN - 7);
});

it("tells apart two ways round that end alike and capture other pieces", () => {
  const position = positionOf("W:WKe3,Kb2:Bc7,g7,d6,g5,b4,d4,f2");
  const { line } = checkersEngine.analyse(position, { nodes: 2_000 });
  expect(() => line.reduce(after, position)).not.toThrow();
});
