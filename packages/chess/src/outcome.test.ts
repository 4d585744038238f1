import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { mirror } from "./testing/before-mates.ts";
import { playAll, positionOf } from "./testing/positions.ts";

const draw = (reason: string) => ({ type: "draw", reason });
const SHUFFLE = "Nf3 Nf6 Ng1 Ng8";

// [CHESS-04 §4 r14] Stalemate is a draw, and both players see 'Draw by Stalemate'.
test("is a draw if the side to move has no legal move and is not in check [CHESS-04]", () => {
  expect(chess.outcome(positionOf("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"))).toEqual(draw("stalemate"));
});

describe("threefold repetition", () => {
  // [CHESS-05 §4 r14] The third occurrence of a position ends the game as a draw.
  test("is a draw at the third occurrence of a position [CHESS-05]", () => {
    const twice = playAll(chess.start(), SHUFFLE);
    expect(chess.outcome(playAll(twice, "Nf3 Nf6 Ng1"))).toBeNull();
    expect(chess.outcome(playAll(twice, SHUFFLE))).toEqual(draw("threefold_repetition"));
  });
  test("counts occurrences with other moves in between", () => {
    const line = "Nc3 Nc6 Nb1 Nb8 Nf3 Nf6 Nc3 Nc6 Nb1 Nb8 Ng1 Ng8";
    expect(chess.outcome(playAll(chess.start(), line))).toEqual(draw("threefold_repetition"));
  });
  test("distinguishes positions by the side to move", () => {
    const start = positionOf("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    // White loses a move by a triangle: the same squares, now with black to move.
    const position = playAll(start, "Kb1 Kg8 Kb2 Kh8 Ka1 Kg8 Kb1 Kh7 Kb2 Kh8 Ka1");
    expect(chess.outcome(position)).toBeNull();
  });
  test("distinguishes positions by castling rights", () => {
    const start = positionOf("r3k2r/p7/8/8/8/8/P7/R3K2R w KQkq - 0 1");
    const round = "Rb1 Rb8 Ra1 Ra8";
    const once = playAll(start, round);
    expect(chess.outcome(playAll(once, round))).toBeNull();
    expect(chess.outcome(playAll(playAll(once, round), round))).toEqual(draw("threefold_repetition"));
  });
  test("distinguishes positions by a possible en passant capture", () => {
    const start = playAll(positionOf("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1"), "e4");
    expect(chess.formatPosition(start)).toContain(" e3 ");
    const round = "Nf6 Nf3 Ng8 Ng1";
    expect(chess.outcome(playAll(playAll(start, round), round))).toBeNull();
    expect(chess.outcome(playAll(playAll(playAll(start, round), round), round))).toEqual(draw("threefold_repetition"));
  });
  test("ignores a passed pawn that cannot legally be captured", () => {
    const start = playAll(positionOf("6n1/8/8/8/k2p3R/8/4P3/4K1N1 w - - 0 1"), "e4");
    const round = "Nf6 Nf3 Ng8 Ng1";
    expect(chess.outcome(playAll(playAll(start, round), round))).toEqual(draw("threefold_repetition"));
  });
  test("starts a new count for a position from FEN", () => {
    const twice = playAll(chess.start(), SHUFFLE);
    const read = positionOf(chess.formatPosition(twice));
    expect(chess.outcome(playAll(read, SHUFFLE))).toBeNull();
    expect(chess.outcome(playAll(playAll(read, SHUFFLE), SHUFFLE))).toEqual(draw("threefold_repetition"));
  });
  test("keeps the counts of two lines from one position apart", () => {
    const twice = playAll(chess.start(), SHUFFLE);
    expect(chess.outcome(playAll(twice, "Nc3 Nc6 Nb1 Nb8"))).toEqual(draw("threefold_repetition"));
    expect(chess.outcome(playAll(twice, "Nc3 Nc6 Nb1 Na5"))).toBeNull();
    expect(chess.outcome(playAll(twice, SHUFFLE))).toEqual(draw("threefold_repetition"));
  });
});

describe("fifty moves", () => {
  test("A hundred half-moves without a capture or pawn move end the game as a draw [CHESS-06 §4 r14]", () => {
    const position = positionOf("4k3/8/8/8/8/8/R7/4K3 w - - 98 80");
    const after = playAll(position, "Ra3");
    expect(chess.outcome(after)).toBeNull();
    expect(chess.outcome(playAll(after, "Kd8"))).toEqual(draw("fifty_moves"));
  });
  test("do not prevent a win by mate on the hundredth half-move", () => {
    const position = playAll(positionOf("4k3/8/4K3/8/8/8/R7/8 w - - 99 80"), "Ra8#");
    expect(chess.outcome(position)).toEqual({ type: "win", winner: 1, reason: "checkmate" });
  });
  test("are counted again after a pawn move or a capture", () => {
    expect(chess.outcome(playAll(positionOf("4k3/8/8/8/8/8/P7/4K3 w - - 99 80"), "a3"))).toBeNull();
    expect(chess.outcome(playAll(positionOf("4k3/8/8/8/8/p7/R7/4K3 w - - 99 80"), "Rxa3"))).toBeNull();
  });
});

describe("insufficient material", () => {
  // [CHESS-07 §4 r14] If neither side can mate, the game is a draw.
  test.each([
    ["king against king", "4k3/8/8/8/8/8/8/4K3"],
    ["a knight", "4k3/8/8/8/8/8/8/4KN2"],
    ["a bishop", "4kb2/8/8/8/8/8/8/4K3"],
    ["bishops of one colour on both sides", "4kb2/8/8/8/8/8/8/2B1K3"],
    ["several bishops of one colour", "4kb2/8/1b6/8/8/4B3/8/2B1K3"],
  ])("%s: neither side can mate [CHESS-07]", (_name, placement) => {
    expect(chess.outcome(positionOf(`${placement} w - - 0 1`))).toEqual(draw("insufficient_material"));
  });
  test.each([
    ["bishops of both colours", "4kb2/8/8/8/8/8/8/4KB2"],
    ["two knights", "4k3/8/8/8/8/8/8/4KNN1"],
    ["knight against knight", "4kn2/8/8/8/8/8/8/4KN2"],
    ["knight against bishop", "4kb2/8/8/8/8/8/8/4KN2"],
    ["a pawn", "4k3/8/8/8/8/8/4P3/4K3"],
    ["a rook", "4k3/8/8/8/8/8/8/R3K3"],
    ["a queen", "4k3/8/8/8/8/8/8/Q3K3"],
  ])("%s: the game goes on", (_name, placement) => {
    expect(chess.outcome(positionOf(`${placement} w - - 0 1`))).toBeNull();
  });
  test("is a draw at once after the capture that causes it", () => {
    expect(chess.outcome(playAll(positionOf("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1"), "Kxd2"))).toEqual(
      draw("insufficient_material"),
    );
  });
});

describe("whether white could still win", () => {
  // Each is a mate by white with that material, found by exhaustive search.
  test.each([
    ["a rook", "k1K5/8/R7/8/8/8/8/8"],
    ["a queen", "kQK5/8/8/8/8/8/8/8"],
    ["two knights", "k1K5/2N5/2N5/8/8/8/8/8"],
    ["bishop and knight", "kBK5/2N5/8/8/8/8/8/8"],
    ["bishops of both colours", "kBK5/1B6/8/8/8/8/8/8"],
    ["a knight against a pawn", "k1K5/p1N5/8/8/8/8/8/8"],
    ["a knight against a knight", "k7/n1K5/1N6/8/8/8/8/8"],
    ["a knight against a bishop", "k1K5/b1N5/8/8/8/8/8/8"],
    ["a knight against a rook", "k1K5/r7/1N6/8/8/8/8/8"],
    ["a bishop against a pawn", "k1K5/pB6/8/8/8/8/8/8"],
    ["a bishop against a knight", "k7/nBK5/8/8/8/8/8/8"],
    ["a bishop against a bishop of the other colour", "k1K5/bB6/8/8/8/8/8/8"],
  ])("%s can, as this mate shows", (_name, placement) => {
    const mate = positionOf(`${placement} b - - 0 1`);
    expect(chess.outcome(mate)).toEqual({ type: "win", winner: 1, reason: "checkmate" });
    expect(chess.canWin(mate, 1)).toBe(true);
  });
  test.each([
    ["a pawn, which may become a queen", "4k3/8/8/8/8/8/4P3/4K3"],
    ["a pawn against a queen", "4kq2/8/8/8/8/8/4P3/4K3"],
    ["a knight against a queen and a pawn", "4kq2/4p3/8/8/8/8/8/4KN2"],
    ["two bishops of one colour against a knight", "4kn2/8/8/8/8/4B3/8/2B1K3"],
  ])("%s can", (_name, placement) => {
    expect(chess.canWin(positionOf(`${placement} w - - 0 1`), 1)).toBe(true);
  });
  test.each([
    ["a lone king", "4kq2/8/8/8/8/8/8/4K3"],
    ["a lone king against everything", "rnbqkbnr/pppppppp/8/8/8/8/8/4K3"],
    ["a knight against a bare king", "4k3/8/8/8/8/8/8/4KN2"],
    ["a knight against queens", "q2qk3/8/8/8/8/8/8/4KN2"],
    ["a bishop against a bare king", "4k3/8/8/8/8/8/8/4KB2"],
    ["a bishop against rook and queen", "r2qk3/8/8/8/8/8/8/4KB2"],
    ["a bishop against a bishop of its colour", "4kb2/8/8/8/8/8/8/2B1K3"],
    ["bishops of one colour against a rook", "r3k3/8/8/8/8/4B3/8/2B1K3"],
  ])("%s cannot", (_name, placement) => {
    expect(chess.canWin(positionOf(`${placement} w - - 0 1`), 1)).toBe(false);
  });
  test("is false if the last piece must be captured, however strong it is", () => {
    expect(chess.canWin(positionOf("8/8/8/8/8/4K3/1Q6/k7 b - - 0 1"), 1)).toBe(false);
    expect(chess.canWin(positionOf("8/8/8/8/8/2K5/1Q6/k7 b - - 0 1"), 1)).toBe(true);
    expect(chess.canWin(positionOf("8/8/8/8/8/4K3/1Q5P/k7 b - - 0 1"), 1)).toBe(true);
  });
  test("is false after stalemate or a win by the other side", () => {
    expect(chess.canWin(positionOf("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), 1)).toBe(false);
    expect(chess.canWin(playAll(chess.start(), "f3 e5 g4 Qh4#"), 1)).toBe(false);
    expect(chess.canWin(playAll(chess.start(), "f3 e5 g4 Qh4#"), 2)).toBe(true);
  });
  test.each([
    ["a wall of pawns", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3"],
    ["a wall without a gap on any file", "8/2k5/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3K4"],
    ["a slanting wall", "k7/5p2/4pPp1/3pP1Pp/2pP3P/1pP5/1P6/7K"],
    ["a bishop behind its own pawns", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2"],
    ["a bishop on each side", "k4b2/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3B3K"],
    ["two bishops of one colour", "2k5/8/1p1p1p1p/1P1P1P1P/8/8/8/1K1B1B2"],
    ["a knight without a square", "4k3/8/8/p3p1p1/Pp1pPpPp/1PpP1P1P/2P5/N5K1"],
    ["pawns with a last move", "4k3/2p5/8/p1p1p1p1/P1P1P1P1/8/P7/4K3"],
  ])("is false behind %s, for both sides and turns [STATE-04]", (_name, placement) => {
    for (const turn of ["w", "b"]) {
      const position = positionOf(`${placement} ${turn} - - 0 1`);
      for (const closed of [position, mirror(position)]) {
        expect([chess.canWin(closed, 1), chess.canWin(closed, 2)]).toEqual([false, false]);
      }
    }
  });
  test.each([
    ["has a gap", "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3"],
    ["has a pawn that can run", "4k3/7p/8/p1p1p1p1/P1P1P1P1/8/8/4K3"],
    ["has a pawn that a bishop can take", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/2B1K3"],
    ["can be jumped over", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K1N1"],
    ["lets a rook be taken by a pawn", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K2R"],
  ])("is true if the wall %s", (_name, placement) => {
    const open = positionOf(`${placement} w - - 0 1`);
    expect(chess.canWin(open, 1) && chess.canWin(open, 2)).toBe(true);
  });
  test("is decided for either seat, independent of the turn", () => {
    const position = positionOf("4kq2/8/8/8/8/8/8/4K3 w - - 0 1");
    expect(chess.canWin(position, 2)).toBe(true);
    expect(chess.canWin(chess.start(), 1) && chess.canWin(chess.start(), 2)).toBe(true);
  });
});
