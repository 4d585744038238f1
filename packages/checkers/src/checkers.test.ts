import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { listDistinctMoves, perft } from "./perft.ts";
import { after, at, listMoves, toPath } from "./testing/board-words.ts";

function boardAfter(fen: string, path: string): string {
  return checkers.formatPosition(after(at(fen), path));
}

function isLegal(fen: string, path: string): boolean {
  return checkers.play(at(fen), toPath(path)).ok;
}

describe("the start", () => {
  // [TURN-01 §4 r13] Player 1 moves first, and the number of moves determines the turn.
  it("has twelve men a side, white at the bottom and to move, and seven moves [TURN-01]", () => {
    const start = checkers.start();
    expect(checkers.formatPosition(start)).toBe(
      "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
    );
    expect(checkers.pieceAt(start, 56)).toEqual({ seat: 1, kind: "man" });
    expect(checkers.pieceAt(start, 1)).toEqual({ seat: 2, kind: "man" });
    expect(checkers.pieceAt(start, 0)).toBeNull();
    expect(checkers.pieceAt(start, 33)).toBeNull();
    expect(checkers.pieceAt(start, 64)).toBeNull();
    expect(checkers.toMove(start)).toBe(1);
    expect(checkers.mustCapture(start)).toBe(false);
    expect(listMoves(start)).toEqual(["a3 b4", "c3 b4", "c3 d4", "e3 d4", "e3 f4", "g3 f4", "g3 h4"]);
    expect(checkers.outcome(start)).toBeNull();
  });
});

describe("men", () => {
  // [DRAUGHT-01 §4 r13] Men of player 1 move up and those of player 2 down, one square diagonally. They also capture
  // backwards.
  it("step forward one square, white up and black down [DRAUGHT-01]", () => {
    expect(listMoves(at("W:Wc3:Bh8"))).toEqual(["c3 b4", "c3 d4"]);
    expect(listMoves(at("B:Wa1:Bc5"))).toEqual(["c5 b4", "c5 d4"]);
  });

  it("capture backward too [DRAUGHT-01]", () => {
    expect(listMoves(at("W:We5:Bd4,h8"))).toEqual(["e5 c3 x d4"]);
    expect(listMoves(at("B:Wd4,a1:Bc3"))).toEqual(["c3 e5 x d4"]);
  });

  // [DRAUGHT-04 §4 r13] A man that reaches the last row becomes a king and continues capturing as a king.
  it("are crowned when they reach the last row [DRAUGHT-04]", () => {
    expect(boardAfter("W:Wc7:Ba3", "c7 d8")).toBe("B:WKd8:Ba3");
    expect(boardAfter("B:Wg1:Bc3,d2", "d2 c1")).toBe("W:Wg1:Bc3,Kc1");
  });

  it("continue a capture as kings from the last row, and remain kings [DRAUGHT-04]", () => {
    const fen = "W:Wf6:Bc7,e7,b4";
    expect(listMoves(at(fen))).toEqual(["f6 d8 a5 c3 x e7 c7 b4", "f6 d8 a5 d2 x e7 c7 b4", "f6 d8 a5 e1 x e7 c7 b4"]);
    expect(boardAfter(fen, "f6 d8 a5 d2")).toBe("B:WKd2:B");
    expect(isLegal(fen, "f6 d8")).toBe(false);
  });

  it("become kings if their capture ends on the last row", () => {
    expect(boardAfter("W:Wd6:Be7,c3", "d6 f8")).toBe("B:WKf8:Bc3");
  });
});

describe("kings", () => {
  // [DRAUGHT-02 §4 r13] Kings move and capture over any distance.
  it("move any distance over empty squares [DRAUGHT-02]", () => {
    expect(listMoves(at("W:WKd4:Ba7,h8"))).toHaveLength(11);
    expect(isLegal("W:WKa1:Ba7", "a1 h8")).toBe(true);
    expect(isLegal("W:WKa1,d4:Ba7", "a1 h8")).toBe(false);
  });

  it("capture from afar and land on any free square behind [DRAUGHT-02]", () => {
    expect(listMoves(at("W:WKa1:Bd4"))).toEqual(["a1 h8 x d4", "a1 g7 x d4", "a1 f6 x d4", "a1 e5 x d4"]);
    expect(listMoves(at("W:WKa1,h2:Bd4,e5"))).not.toContain("a1 f6 x d4");
  });

  it("must land where they can capture again, if there is such a square", () => {
    const fen = "W:WKa1:Bc3,f4";
    expect(listMoves(at(fen))).toEqual(["a1 e5 g3 x c3 f4", "a1 e5 h2 x c3 f4"]);
    expect(isLegal(fen, "a1 d4")).toBe(false);
    expect(isLegal(fen, "a1 e5")).toBe(false);
  });

  it("may choose among landings from which the same capture continues", () => {
    const position = at("W:WKa1:Bc3,f6");
    expect(listMoves(position)).toHaveLength(4);
    expect(listDistinctMoves(position)).toHaveLength(2);
    expect(perft(position, 1)).toBe(2);
  });
});

describe("capturing", () => {
  // [DRAUGHT-03 §4 r13] A player who can capture must do so, with any piece that can, and to the end.
  it("is mandatory, with a free choice of the capture [DRAUGHT-03]", () => {
    const fen = "W:Wc3,g3,a1:Bd4,h4,f6,h8";
    expect(checkers.mustCapture(at(fen))).toBe(true);
    expect(listMoves(at(fen))).toEqual(["c3 e5 g7 x d4 f6"]);
    expect(isLegal(fen, "g3 f4")).toBe(false);
    expect(listMoves(at("W:Wc3,e1:Bd4,f2,f6"))).toEqual(["c3 e5 g7 x d4 f6", "e1 g3 x f2"]);
  });

  it("must be finished [DRAUGHT-03]", () => {
    expect(isLegal("W:Wc3:Bd4,f6", "c3 e5")).toBe(false);
    expect(isLegal("W:Wc3:Bd4,f6", "c3 e5 g7")).toBe(true);
    expect(isLegal("W:Wc3:Bd4,f6", "c3 g7")).toBe(false);
  });

  it("distinguishes two captures with equal ends by their paths", () => {
    const fen = "W:Wb6:Bc7,f6,b4,e3,g3";
    expect(boardAfter(fen, "b6 d8 g5 d2 a5")).toBe("B:WKa5:Bg3");
    expect(boardAfter(fen, "b6 d8 h4 e1 a5")).toBe("B:WKa5:Be3");
    expect(isLegal(fen, "b6 a5")).toBe(false);
    expect(listDistinctMoves(at(fen))).toHaveLength(3);
  });

  it("can neither jump a captured piece twice nor pass it before the move ends", () => {
    expect(listMoves(at("W:WKe5:Bg7,b2"))).toEqual(["e5 h8 x g7", "e5 a1 x b2"]);
    expect(listMoves(at("W:Wd6:Bc7,f4"))).toEqual(["d6 b8 x c7"]);
  });

  it("may cross an empty square twice", () => {
    expect(listMoves(at("W:WKh2:Be5,g5,b4,b2"))).toEqual(["h2 d6 a3 c1 h6 x e5 b4 b2 g5"]);
  });

  it("may end where it began, with both directions counted as one distinct move", () => {
    const fen = "W:Wd2:Bc3,c5,e3,e5";
    expect(listMoves(at(fen))).toEqual(["d2 b4 d6 f4 d2 x c3 c5 e5 e3", "d2 f4 d6 b4 d2 x e3 e5 c5 c3"]);
    expect(boardAfter(fen, "d2 f4 d6 b4 d2")).toBe("B:Wd2:B");
    expect(listDistinctMoves(at(fen))).toEqual([[51, 51, [26, 28, 42, 44]]]);
  });

  it("may pass over the square on which it began", () => {
    expect(listMoves(at("W:WKh6:Bg7,d6,f4,b2"))).toContain("h6 f8 a3 c1 h6 x g7 d6 b2 f4");
  });
});

describe("play", () => {
  it("refuses a promotion, since crowning is automatic", () => {
    expect(checkers.play(at("W:Wc7:Ba3"), toPath("c7 d8"), "q")).toEqual({ ok: false, refusal: "illegal_move" });
  });

  it("refuses an invalid path", () => {
    for (const path of [[], [42], [42, 42], [42, -1], [42, 64], [42, 33.5], [-1, 33], [64, 33]]) {
      expect(checkers.play(checkers.start(), path)).toEqual({ ok: false, refusal: "illegal_move" });
    }
  });

  it("refuses a move of the other side and of an empty square", () => {
    expect(checkers.play(checkers.start(), toPath("b6 a5")).ok).toBe(false);
    expect(checkers.play(checkers.start(), toPath("d4 e5")).ok).toBe(false);
  });

  it("lists the captured squares in the order of the captures", () => {
    const played = checkers.play(at("W:WKh2:Be5,g5,b4,b2"), toPath("h2 d6 a3 c1 h6"));
    expect(played.ok && played.value.move).toEqual({
      path: toPath("h2 d6 a3 c1 h6"),
      captured: toPath("e5 b4 b2 g5"),
    });
  });
});

describe("winning", () => {
  // [STATE-03 §4] In checkers a side without pieces or without a legal move loses.
  it("happens by capturing the last piece of the other side [STATE-03]", () => {
    const position = after(at("W:Wc3:Bd4"), "c3 e5");
    expect(checkers.outcome(position)).toEqual({ type: "win", winner: 1, reason: "no_pieces" });
    expect(checkers.legalMoves(position)).toEqual([]);
    expect(checkers.canWin(position, 1)).toBe(true);
    expect(checkers.canWin(position, 2)).toBe(false);
  });

  it("happens if the side to move has no legal move [STATE-03]", () => {
    const position = at("W:Wa3:Bb4,c5");
    expect(checkers.legalMoves(position)).toEqual([]);
    expect(checkers.outcome(position)).toEqual({ type: "win", winner: 2, reason: "no_moves" });
    expect(checkers.outcome(at("B:Wa3:Bb4,c5"))).toBeNull();
  });
});
