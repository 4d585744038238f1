import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { describe, expect, it } from "vitest";

function describeIn<Position>(rules: GameRules<Position>, text: string, move: string): string {
  const position = rules.parsePosition(text);
  if (!position.ok) throw new Error(`${text} is not a position`);
  const parsed = rules.parseMove(position.value, move);
  if (!parsed.ok) throw new Error(`${move} is not a move`);
  return rules.describeMove(position.value, parsed.value);
}

describe("describeMove", () => {
  // [GAME-30 §2] A screen reader is told each move in words: the piece in chess, what was captured or how many,
  // castling, what a pawn became, that a man was crowned, then check or the result.
  it.each([
    ["4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "Nf3", "knight g1 to f3"],
    ["4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "Nxd5", "knight e3 to d5, capturing a queen"],
    ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "pawn e5 to d6, capturing a pawn"],
    ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castled kingside"],
    ["r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "O-O-O", "castled queenside"],
    ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kf2", "king e1 to f2"],
    ["8/P6k/8/8/8/8/8/7K w - - 0 1", "a8=Q", "pawn a7 to a8, promoted to queen"],
    ["8/8/8/8/8/7k/p7/1R5K b - - 0 1", "axb1=N", "pawn a2 to b1, capturing a rook, promoted to knight"],
  ])("names piece, victim, promotion and castling in chess: %s, %s [GAME-30]", (fen, move, words) => {
    expect(describeIn(chess, fen, move)).toBe(words);
  });

  it.each([
    ["W:Wc3:Bb6", "c3-d4", "c3 to d4"],
    ["W:Wc3:Bd4,h8", "c3:e5", "c3 to e5, capturing one"],
    ["W:Wa7:Bh2", "a7-b8", "a7 to b8, crowned"],
    ["B:Wa7:Bh2", "h2-g1", "h2 to g1, crowned"],
    ["W:Wb6:Bc7,e7", "b6:h4", "b6 to d8 to h4, capturing 2, crowned"],
    ["W:WKa1:Bh2", "a1-h8", "a1 to h8"],
  ])("counts captures and says who is crowned in checkers: %s, %s [GAME-30]", (fen, move, words) => {
    expect(describeIn(checkers, fen, move)).toBe(words);
  });
});
