import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { formatFen, parseFen } from "./fen.ts";
import { playAll, positionOf } from "./testing/positions.ts";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("formats the start position as in the standard [ENT-17]", () => {
  expect(formatFen(chess.start())).toBe(START);
});

test("updates counters and castling rights after each move", () => {
  expect(formatFen(playAll(chess.start(), "e4 c5 Nf3 Nc6 Ke2"))).toBe(
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPPKPPP/RNBQ1B1R b kq - 3 3",
  );
});

test("writes the en passant square only if the pawn can be captured", () => {
  expect(formatFen(playAll(chess.start(), "e4"))).toContain(" - 0 1");
  expect(formatFen(playAll(chess.start(), "e4 a6 e5 d5"))).toContain(" d6 0 3");
});

test("parses four fields, with counters 0 and 1", () => {
  const position = parseFen("4k3/8/8/8/8/8/8/4K2R w K -");
  expect(position.ok && formatFen(position.value)).toBe("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
});

test("parses castling rights in any order", () => {
  expect(formatFen(positionOf("r3k2r/8/8/8/8/8/8/R3K2R b qQKk - 3 2"))).toContain(" KQkq ");
});

test.each([
  ["the king is not at home", "r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq"],
  ["a rook is not at home", "r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kq"],
  ["the rook is another piece", "r3k2r/8/8/8/8/8/8/B3K2R b KQkq - 0 1", "Kkq"],
])("drops a castling right if %s", (_name, fen, rights) => {
  expect(formatFen(positionOf(fen)).split(" ")[2]).toBe(rights);
});

describe("an invalid position is refused:", () => {
  test.each([
    ["nothing", ""],
    ["a word", "chess"],
    ["five fields", "4k3/8/8/8/8/8/8/4K3 w - - 0"],
    ["seven fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1"],
    ["seven rows", "4k3/8/8/8/8/8/4K3 w - - 0 1"],
    ["nine rows", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["a short row", "4k2/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["a long row", "4k4/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["a ninth piece in a row", "4k3/pppppppp1/8/8/8/8/8/4K3 w - - 0 1"],
    ["two numbers in a row", "4k3/44/8/8/8/8/8/4K3 w - - 0 1"],
    ["an unknown piece", "4k3/8/8/4x3/8/8/8/4K3 w - - 0 1"],
    ["no king", "8/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["two kings", "4k2k/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["kings side by side", "8/8/8/8/8/8/4k3/4K3 w - - 0 1"],
    ["a pawn on the last row", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"],
    ["a pawn on the first row", "4k3/8/8/8/8/8/8/4K2p w - - 0 1"],
    ["nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"],
    ["seventeen pieces", "4k3/8/8/8/8/R7/PPPPPPPP/RNBQKBNR w - - 0 1"],
    ["a side not to move that is in check", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"],
    ["an unknown side", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"],
    ["unknown rights", "4k3/8/8/8/8/8/8/4K3 w X - 0 1"],
    ["a right twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1"],
    ["an en passant square that is none", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1"],
    ["an en passant square on the mover's side", "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1"],
    ["an en passant square without a pawn", "4k3/8/8/8/8/8/8/4K3 b - e3 0 1"],
    ["an en passant square that is taken", "4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1"],
    ["a pawn that passed from a taken square", "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1"],
    ["negative half-moves", "4k3/8/8/8/8/8/8/4K3 w - - -1 1"],
    ["broken half-moves", "4k3/8/8/8/8/8/8/4K3 w - - 1.5 1"],
    ["full moves from 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0"],
    ["counters that are no numbers", "4k3/8/8/8/8/8/8/4K3 w - - a b"],
  ])("%s", (_name, fen) => {
    expect(parseFen(fen)).toEqual({ ok: false, refusal: "bad_position" });
  });
});
