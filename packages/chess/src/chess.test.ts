import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { CHESS } from "./game.ts";
import { playAll, positionOf, sansOf } from "./testing/positions.ts";

const E1 = 60;
const G1 = 62;
const C1 = 58;

describe("the start position", () => {
  test("has sixteen pieces a side, twenty legal moves and white to move", () => {
    const start = chess.start();
    const pieces = Array.from({ length: 64 }, (_, square) => chess.pieceAt(start, square));
    expect(pieces.filter((piece) => piece?.seat === 1)).toHaveLength(CHESS.pieceCount);
    expect(pieces.filter((piece) => piece?.seat === 2)).toHaveLength(CHESS.pieceCount);
    expect(chess.pieceAt(start, 0)).toEqual({ seat: 2, kind: "rook" });
    expect(chess.pieceAt(start, E1)).toEqual({ seat: 1, kind: "king" });
    expect(chess.pieceAt(start, 36)).toBeNull();
    expect(chess.toMove(start)).toBe(1);
    expect(chess.legalMoves(start)).toHaveLength(20);
    expect(chess.outcome(start)).toBeNull();
    expect(chess.mustCapture(start)).toBe(false);
  });
});

test("lists all moves of the position with the most moves", () => {
  // Nenad Petrovic, 1964: the most moves that a position of a game is known to have.
  expect(chess.legalMoves(positionOf("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"))).toHaveLength(218);
});

describe("castling", () => {
  const castles = (fen: string) => sansOf(positionOf(fen)).filter((san) => san.startsWith("O"));

  // [CHESS-01 §4] Castling follows the rules.
  test("is legal on either side with both rights, free squares and no attack [CHESS-01]", () => {
    expect(castles("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")).toEqual(["O-O", "O-O-O"]);
    expect(castles("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")).toEqual(["O-O", "O-O-O"]);
  });
  test("moves the king two squares and the rook to its other side", () => {
    const position = positionOf("4k3/8/8/8/8/8/8/R3K2R w KQ - 3 5");
    const short = chess.play(position, [E1, G1]);
    expect(short.ok && short.value.move).toEqual({ path: [E1, G1], captured: [] });
    expect(short.ok && chess.formatPosition(short.value.position)).toBe("4k3/8/8/8/8/8/8/R4RK1 b - - 4 5");
    const long = chess.play(position, [E1, C1]);
    expect(long.ok && chess.formatPosition(long.value.position)).toBe("4k3/8/8/8/8/8/8/2KR3R b - - 4 5");
  });
  test("is refused in check [CHESS-01]", () => {
    expect(castles("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual([]);
  });
  test("is refused through an attacked square [CHESS-01]", () => {
    expect(castles("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual(["O-O-O"]);
    expect(castles("4k3/3r4/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual(["O-O"]);
  });
  test("is refused into check", () => {
    expect(castles("4k3/6r1/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual(["O-O-O"]);
    expect(castles("4k3/2r5/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual(["O-O"]);
  });
  test("is legal if the rook is attacked or crosses an attacked square", () => {
    expect(castles("1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual(["O-O", "O-O-O"]);
  });
  test("needs every square between king and rook to be empty", () => {
    expect(castles("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1")).toEqual([]);
  });
  test("is refused if a pawn attacks the king's target square", () => {
    expect(castles("4k3/8/8/8/8/8/7p/R3K2R w KQ - 0 1")).toEqual(["O-O-O"]);
  });
  test("loses both rights by a king move, and one by a rook move", () => {
    const back = playAll(positionOf("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "Ke2 Rg8 Ke1 Rh8");
    expect(chess.formatPosition(back)).toBe("r3k2r/8/8/8/8/8/8/R3K2R w q - 4 3");
  });
  test("loses the right with a captured rook, even if another rook moves there", () => {
    const taken = playAll(positionOf("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "Rxh8+ Kd7 Rh1 Ra8-h8");
    expect(chess.formatPosition(taken)).toBe("7r/3k4/8/8/8/8/8/R3K2R w Q - 3 3");
  });
});

describe("en passant", () => {
  // [CHESS-02 §4] A pawn can be captured en passant, on the next move only.
  test("captures a pawn that has just passed and names its square [CHESS-02]", () => {
    const position = playAll(chess.start(), "e4 a6 e5 d5");
    const played = chess.play(position, [28, 19]);
    expect(played.ok && played.value.move).toEqual({ path: [28, 19], captured: [27] });
    expect(played.ok && chess.pieceAt(played.value.position, 27)).toBeNull();
  });
  test("is refused one move later [CHESS-02]", () => {
    expect(sansOf(playAll(chess.start(), "e4 a6 e5 d5 h3 h6"))).not.toContain("exd6");
  });
  test("is refused if both pawns leaving the row would expose the king to a rook", () => {
    const position = playAll(positionOf("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e4");
    expect(sansOf(position)).not.toContain("dxe3");
    expect(chess.formatPosition(position)).toBe("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
  });
  test("answers a check by the pawn that passed", () => {
    const position = playAll(positionOf("8/8/8/2k5/4p3/8/3P4/4K3 w - - 0 1"), "d4+");
    expect(sansOf(position)).toContain("exd3");
  });
  test("is refused to a pinned pawn and allowed to the other", () => {
    const position = playAll(positionOf("2r1k3/3p4/8/2P1P3/8/8/8/2K5 b - - 0 1"), "d5");
    expect(sansOf(position)).toContain("exd6");
    expect(sansOf(position)).not.toContain("cxd6");
  });
  test("does not wrap around the edge of the board", () => {
    const position = playAll(positionOf("4k3/8/8/7p/8/8/P7/4K3 w - - 0 1"), "a4");
    expect(chess.formatPosition(position)).toBe("4k3/8/8/7p/P7/8/8/4K3 b - - 0 1");
  });
  test("is for pawns only: another piece moves there without a capture", () => {
    const passed = playAll(positionOf("4k3/8/8/8/2p5/8/1P1n4/7K w - - 0 1"), "b4");
    const knight = chess.play(passed, [51, 41]);
    expect(knight.ok && knight.value.move).toEqual({ path: [51, 41], captured: [] });
    expect(knight.ok && chess.pieceAt(knight.value.position, 33)).toEqual({ seat: 1, kind: "pawn" });
  });
});

describe("promotion", () => {
  const position = positionOf("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1");

  test("offers four pieces to a pawn that reaches the last row, by a step or a capture", () => {
    expect(sansOf(positionOf("3n4/4P3/8/8/8/8/k7/4K3 w - - 0 1")).filter((san) => san.startsWith("e"))).toEqual([
      "e8=B",
      "e8=N",
      "e8=Q",
      "e8=R",
      "exd8=B",
      "exd8=N",
      "exd8=Q",
      "exd8=R",
    ]);
  });
  test("makes a queen by default", () => {
    const played = chess.play(position, [12, 3]);
    expect(played.ok && played.value.move).toEqual({ path: [12, 3], captured: [3], promotion: "q" });
    expect(played.ok && chess.pieceAt(played.value.position, 3)).toEqual({ seat: 1, kind: "queen" });
  });
  test("makes the named piece", () => {
    for (const [promotion, kind] of [
      ["q", "queen"],
      ["r", "rook"],
      ["b", "bishop"],
      ["n", "knight"],
    ] as const) {
      const played = chess.play(position, [12, 3], promotion);
      expect(played.ok && chess.pieceAt(played.value.position, 3)).toEqual({ seat: 1, kind });
    }
  });
  test("is refused on any other move", () => {
    expect(chess.play(chess.start(), [52, 36], "q").ok).toBe(false);
    expect(chess.play(position, [E1, 52], "q").ok).toBe(false);
  });
});

describe("a path that names no move", () => {
  test.each([
    [[]],
    [[52]],
    [[52, 44, 36]],
    [[52, 52]],
    [[-1, 36]],
    [[52, 64]],
    [[52.5, 36]],
    [[Number.NaN, 36]],
    [[36, 28]],
    [[12, 28]],
    [[60, 62]],
  ])("is refused: %j", (path) => {
    expect(chess.play(chess.start(), path)).toEqual({ ok: false, refusal: "illegal_move" });
  });
});

describe("check and mate", () => {
  test("names the square of the king in check, for the side to move only", () => {
    expect(chess.checkedSquare(chess.start())).toBeNull();
    expect(chess.checkedSquare(playAll(chess.start(), "e4 f6 Qh5+"))).toBe(4);
  });
  test("lets a pinned piece move along its pin only [CHESS-03]", () => {
    expect(sansOf(positionOf("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1")).filter((san) => san.startsWith("R"))).toEqual([
      "Re3",
      "Re4",
      "Re5",
      "Re6",
      "Re7",
      "Rxe8+",
    ]);
    expect(sansOf(positionOf("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1")).filter((san) => san.startsWith("N"))).toEqual([]);
  });
  test("refuses a king step along the line of the check", () => {
    expect(sansOf(positionOf("4r2k/8/8/8/4K3/8/8/8 w - - 0 1"))).not.toContain("Ke3");
  });
  test("allows only king moves in double check", () => {
    const double = playAll(positionOf("4r1k1/8/8/8/4n3/8/3P1P2/3RK3 b - - 0 1"), "Nc3+");
    expect(sansOf(double).every((san) => san.startsWith("K"))).toBe(true);
  });
  // [CHESS-03 §4] A check must be answered; checkmate wins.
  test("ends the game with a win by mate [CHESS-03]", () => {
    const foolsMate = playAll(chess.start(), "f3 e5 g4 Qh4#");
    expect(chess.outcome(foolsMate)).toEqual({ type: "win", winner: 2, reason: "checkmate" });
    expect(chess.legalMoves(foolsMate)).toEqual([]);
    const scholarsMate = playAll(chess.start(), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
    expect(chess.outcome(scholarsMate)).toEqual({ type: "win", winner: 1, reason: "checkmate" });
  });
});
