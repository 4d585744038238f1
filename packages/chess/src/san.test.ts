import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { playAll, positionOf, sansOf } from "./testing/positions.ts";

function read(fen: string, text: string): string {
  const position = positionOf(fen);
  const move = chess.parseMove(position, text);
  return move.ok ? chess.formatMove(position, move.value) : move.refusal;
}

describe("distinguishes moves of equal pieces", () => {
  test("by the file", () => {
    expect(sansOf(positionOf("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"))).toContain("Rad1");
  });
  test("by the rank if they share a file", () => {
    expect(sansOf(positionOf("4k3/8/8/8/R7/8/4K3/R7 w - - 0 1"))).toContain("R1a3");
  });
  test("by both if neither is enough", () => {
    const sans = sansOf(positionOf("1k6/8/8/8/4Q2Q/2K5/8/7Q w - - 0 1"));
    expect(sans).toEqual(expect.arrayContaining(["Qee1", "Qh4e1", "Q1e1"]));
  });
  test("not at all if the other piece is pinned", () => {
    expect(sansOf(positionOf("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1"))).toContain("Nc2");
  });
});

test("marks check, mate, captures, promotion and castling", () => {
  expect(sansOf(playAll(chess.start(), "e4 e5 Bc4 Nc6 Qh5 Nf6"))).toEqual(
    expect.arrayContaining(["Qxf7#", "Bxf7+", "Qxe5+", "Nf3", "a3"]),
  );
  expect(sansOf(positionOf("3rk3/4P3/8/8/8/8/8/R3K2R w KQ - 0 1"))).toEqual(
    expect.arrayContaining(["O-O", "exd8=Q+", "exd8=N"]),
  );
});

describe("reads common variants:", () => {
  const start = chess.formatPosition(chess.start());
  const castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const promotion = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
  const passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";

  test.each([
    [start, "e4", "e4"],
    [start, " e4 ", "e4"],
    [start, "e2e4", "e4"],
    [start, "e2-e4", "e4"],
    [start, "Nf3", "Nf3"],
    [start, "Ngf3", "Nf3"],
    [start, "N1f3", "Nf3"],
    [start, "Ng1f3", "Nf3"],
    [start, "Ng1-f3", "Nf3"],
    [start, "g1f3", "Nf3"],
    [start, "Nf3!?", "Nf3"],
    [start, "Nf3+", "Nf3"],
    [castling, "O-O", "O-O"],
    [castling, "0-0", "O-O"],
    [castling, "o-o", "O-O"],
    [castling, "OO", "O-O"],
    [castling, "0-0-0", "O-O-O"],
    [castling, "000", "O-O-O"],
    [castling, "e1g1", "O-O"],
    [castling, "Ra1xa8", "Rxa8+"],
    [castling, "Raa8", "Rxa8+"],
    [promotion, "e8=Q", "e8=Q"],
    [promotion, "e8Q", "e8=Q"],
    [promotion, "e8(N)", "e8=N"],
    [promotion, "e7e8r", "e8=R"],
    [promotion, "e8", "e8=Q"],
    [passing, "exd6", "exd6"],
    [passing, "exd6 e.p.", "exd6"],
    [passing, "e5xd6e.p.", "exd6"],
    [passing, "e5:d6", "exd6"],
  ])("in %s %s is %s", (fen, text, san) => {
    expect(read(fen, text)).toBe(san);
  });
});

describe("refuses text that names no move or several:", () => {
  test.each([
    [""],
    ["e5"],
    ["e2"],
    ["Nf4"],
    ["Bf1c4"],
    ["O-O"],
    ["O-O-O"],
    ["xe4"],
    ["Nxf3"],
    ["e4=Q"],
    ["i4"],
    ["e9"],
    ["e4e5e6"],
    ["--"],
  ])("%j at the start", (text) => {
    expect(chess.parseMove(chess.start(), text)).toEqual({ ok: false, refusal: "illegal_move" });
  });
  test("a move that two pieces could make", () => {
    expect(read("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rd1")).toBe("Rd1");
    expect(read("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1")).toBe("illegal_move");
    expect(read("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rhd1")).toBe("Rhd1");
  });
});

test("throws when it formats an illegal move", () => {
  expect(() => chess.formatMove(chess.start(), { path: [52, 28], captured: [] })).toThrow("legal");
});
