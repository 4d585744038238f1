import type { DrawReason, Move } from "@holo/rules/rules.ts";
import { describe, expect, it } from "vitest";
import { type CheckersPosition, checkers } from "./checkers.ts";
import { after, at } from "./testing/board-words.ts";

/** Whether a line may go on with this move; `ply` counts from 0. */
type Accepts = (position: CheckersPosition, move: Move, ply: number) => boolean;

const kings: Accepts = (position, { path, captured }) =>
  captured.length === 0 && checkers.pieceAt(position, path[0]!)?.kind === "crowned";
const men: Accepts = (position, { path, captured }) =>
  captured.length === 0 && checkers.pieceAt(position, path[0]!)?.kind === "man" && !endsOnRow(path, 0);
const crowns: Accepts = (position, { path, captured }) =>
  captured.length === 0 && checkers.pieceAt(position, path[0]!)?.kind === "man" && endsOnRow(path, 0);
const takes: Accepts = (_position, { captured }) => captured.length > 0;
const onRoad: Accepts = (position, move, ply) =>
  kings(position, move, ply) && (checkers.toMove(position) === 1 || endsOnRoad(move.path));
const offRoad: Accepts = (position, move, ply) =>
  kings(position, move, ply) && (checkers.toMove(position) === 1 || !endsOnRoad(move.path));

function endsOnRow(path: readonly number[], row: number): boolean {
  return path.at(-1)! >> 3 === row;
}

function endsOnRoad(path: readonly number[]): boolean {
  const end = path.at(-1)!;
  return (end >> 3) + (end & 7) === 7;
}

function except(plies: readonly number[], special: Accepts, otherwise: Accepts): Accepts {
  return (position, move, ply) => (plies.includes(ply) ? special : otherwise)(position, move, ply);
}

/** Plays `plies` accepted moves without repetition. Only the last may end the game. */
function drift(from: CheckersPosition, plies: number, accepts: Accepts): CheckersPosition {
  const seen = new Set([checkers.formatPosition(from)]);
  const search = (position: CheckersPosition, ply: number): CheckersPosition | null => {
    if (ply === plies) return position;
    if (checkers.outcome(position) !== null) return null;
    for (const move of checkers.legalMoves(position)) {
      if (!accepts(position, move, ply)) continue;
      const played = checkers.play(position, move.path);
      if (!played.ok) throw new Error("a legal move was refused");
      const text = checkers.formatPosition(played.value.position);
      if (seen.has(text)) continue;
      seen.add(text);
      const found = search(played.value.position, ply + 1);
      if (found !== null) return found;
    }
    return null;
  };
  const found = search(from, 0);
  if (found === null) throw new Error(`no line of ${plies} plies from ${checkers.formatPosition(from)}`);
  return found;
}

function expectDraw(fen: string, plies: number, reason: DrawReason, accepts: Accepts): void {
  expect(checkers.outcome(drift(at(fen), plies - 1, accepts))).toBeNull();
  expect(checkers.outcome(drift(at(fen), plies, accepts))).toEqual({ type: "draw", reason });
}

describe("threefold repetition", () => {
  const start = at("W:WKc1,h2,g1:BKf8,a7,b8");
  const round = ["c1 d2", "f8 e7", "d2 c1", "e7 f8"];

  // [DRAUGHT-08 §4 r14] The automatic draws of Russian draughts end a game that cannot be won.
  it("is a draw at the third occurrence of a position, and not a ply earlier [DRAUGHT-08]", () => {
    expect(checkers.outcome(after(start, ...round))).toBeNull();
    expect(checkers.outcome(after(start, ...round, "c1 d2", "f8 e7", "d2 c1"))).toBeNull();
    expect(checkers.outcome(after(start, ...round, ...round))).toEqual({
      type: "draw",
      reason: "threefold_repetition",
    });
  });

  it("counts only positions with the same side to move", () => {
    const turned = after(start, "c1 e3", "f8 e7", "e3 d2", "e7 f8", "d2 c1");
    const back = ["f8 e7", "c1 d2", "e7 f8", "d2 c1"];
    expect(checkers.outcome(after(turned, ...back))).toBeNull();
    expect(checkers.outcome(after(turned, ...back, ...back))?.type).toBe("draw");
  });

  it("counts occurrences with other positions in between", () => {
    const wide = ["c1 e3", "f8 e7", "e3 c1", "e7 f8"];
    expect(checkers.outcome(after(start, ...round, ...wide))?.type).toBe("draw");
  });

  it("starts a new count for a position that is parsed from text", () => {
    const read = at(checkers.formatPosition(after(start, ...round)));
    expect(checkers.outcome(after(read, ...round))).toBeNull();
  });
});

describe("at most two pieces against a lone king", () => {
  it.each(["W:WKc1:BKb8", "W:WKc1,Ke1:BKb8", "W:WKc1,a3:BKf8", "B:WKb8:BKc1,Ke1"])(
    "are a draw after 5 moves: %s",
    (fen) => {
      expectDraw(fen, 10, "few_pieces", kings);
    },
  );

  it("are counted from when the material arose", () => {
    expectDraw("W:WKc1,Ke1:BKb8,d6", 17, "few_pieces", except([6], takes, kings));
  });

  it("restart their count when a man is crowned", () => {
    expectDraw("W:WKc1,g7:BKb8", 17, "few_pieces", except([6], crowns, kings));
  });

  it("do not restart their count when a man moves", () => {
    expectDraw("W:WKc1,h2:BKb8", 10, "few_pieces", except([6], men, kings));
  });

  it("are not this draw without a king among them: the lone king can still win [DRAUGHT-08]", () => {
    const man = ["h8 g7", "g7 h6", "h6 g5", "g5 h4", "h4 g3"];
    const king = ["e1 a5", "a5 d8", "d8 c7", "c7 b8", "b8 c7"];
    const hunted = after(at("W:WKe1:Bh8"), ...king.flatMap((path, index) => [path, man[index]!]));
    expect(checkers.outcome(hunted)).toBeNull();
    expect(checkers.outcome(after(hunted, "c7 h2"))).toEqual({ type: "win", winner: 1, reason: "no_pieces" });
  });
});

describe("three pieces against a lone king on the main road", () => {
  it.each(["W:WKb8,Kd8,Kf8:BKa1", "W:WKb8,Kd8,h4:BKa1", "W:WKb8,a3,h4:BKa1"])("are a draw after 5 moves: %s", (fen) => {
    expectDraw(fen, 10, "main_road", onRoad);
  });

  it("are counted from when the king reached the road", () => {
    expectDraw("W:WKb8,Kd8,h4:BKe1", 14, "main_road", except([1], offRoad, onRoad));
  });

  it("restart their count when the king leaves the road and returns", () => {
    expectDraw("W:WKb8,Kd8,h4:BKa1", 18, "main_road", except([5], offRoad, onRoad));
  });

  it("are counted from when the material arose", () => {
    expectDraw("W:WKb8,Kd8,a3:BKa1,c5", 15, "main_road", except([4], takes, onRoad));
  });

  it("restart their count when a man is crowned", () => {
    expectDraw("W:WKb8,a3,c7:BKa1", 15, "main_road", except([4], crowns, onRoad));
  });

  it("are not this draw off the road, or without a king among the three", () => {
    expect(checkers.outcome(drift(at("W:WKb8,Kd8,Kf8:BKe1"), 12, offRoad))).toBeNull();
    const walk: Accepts = (position, move, ply) =>
      checkers.toMove(position) === 1 ? men(position, move, ply) : kings(position, move, ply);
    expect(checkers.outcome(drift(at("W:Wa3,g1,h2:BKa1"), 12, walk))).toBeNull();
  });
});

describe("three or more kings against a lone king", () => {
  it.each(["W:WKb8,Kd8,Kf8:BKe1", "W:WKb8,Kd8,Kf8,Kh6:BKe1"])("are a draw after 15 moves: %s [DRAUGHT-08]", (fen) => {
    expectDraw(fen, 30, "three_kings", offRoad);
  });

  it("are counted from when the material arose", () => {
    expectDraw("W:WKb8,Kd8,Kf8:BKe1,c3", 37, "three_kings", except([6], takes, offRoad));
  });

  it("are not counted while a man is among them", () => {
    const fen = "W:WKb8,Kd8,Kf8,a3:BKe1";
    expect(checkers.outcome(drift(at(fen), 31, except([6], men, offRoad)))).toBeNull();
  });
});

describe("moves of kings only", () => {
  it.each(["W:WKc1,Ke1:BKb8,Kd8", "W:WKc1,g1,h2:BKf8,a7,b8"])("are a draw after 15 moves: %s [DRAUGHT-08]", (fen) => {
    expectDraw(fen, 30, "kings_only", kings);
  });

  it("restart their count when a man moves", () => {
    expectDraw("W:WKc1,g1,h2:BKf8,a7,b8", 59, "kings_only", except([28], men, kings));
  });

  it("restart their count on a capture", () => {
    expectDraw("W:WKc1,Ke1,h2:BKf8,Kd8,h4", 51, "kings_only", except([20], takes, kings));
  });
});

describe("the balance of kings", () => {
  it.each(["W:WKc1,h2:BKf8,a7", "W:WKc1,h2,g1:BKf8,a7"])("is a draw after 30 moves with 4 or 5 pieces: %s", (fen) => {
    expectDraw(fen, 60, "balance_of_kings", except([20, 40], men, kings));
  });

  it.each(["W:WKc1,h2,g1:BKf8,a7,b8", "W:WKc1,h2,g1,e1:BKf8,a7,b8"])(
    "is a draw after 60 moves with 6 or 7 pieces: %s",
    (fen) => {
      expectDraw(fen, 120, "balance_of_kings", except([20, 40, 60, 80, 100], men, kings));
    },
  );

  it("is not a draw with 8 pieces", () => {
    const position = at("W:WKc1,h2,g1,e1:BKf8,a7,b8,d8");
    expect(checkers.outcome(drift(position, 122, except([20, 40, 60, 80, 100, 120], men, kings)))).toBeNull();
  });

  it("restarts its count when a man is crowned", () => {
    const accepts = except([40], crowns, except([20, 59, 79], men, kings));
    expectDraw("W:WKc1,h6,g1:BKf8,a7", 101, "balance_of_kings", except([10], men, accepts));
  });
});

describe("a win", () => {
  it("takes precedence over a draw on the same ply", () => {
    const squares = "e1 h4 g5 h6 f4 h2 g3 h4 d8 e7 f8 h6 f4 h2 g1 a7".split(" ");
    const white = squares.slice(1).map((square, ply) => `${squares[ply]} ${square}`);
    const paths = white.flatMap((path, move) => [move % 2 === 0 ? "a7 b8" : "b8 a7", path]);
    const start = at("B:WKe1,c7,d6:BKa7");
    expect(checkers.outcome(after(start, ...paths))).toEqual({ type: "win", winner: 1, reason: "no_moves" });
    expect(checkers.outcome(after(start, ...paths.slice(0, -1)))).toBeNull();
    expect(paths).toHaveLength(30);
    expect(checkers.outcome(after(start, ...paths.slice(0, -1), "g1 d4"))).toEqual({
      type: "draw",
      reason: "kings_only",
    });
  });
});
