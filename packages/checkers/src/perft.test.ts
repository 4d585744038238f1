import process from "node:process";
import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { listDistinctMoves, parseBoard, perft } from "./perft.ts";
import { at } from "./testing/board-words.ts";
import { START_PERFT } from "./testing/perft-table.ts";

const EMPTY = ".".repeat(64);
const START = ".b.b.b.b" + "b.b.b.b." + ".b.b.b.b" + "........" + "........" + "a.a.a.a." + ".a.a.a.a" + "a.a.a.a.";

/** The deep run counts everything that is published: half a billion positions. */
const DEPTH_MAX = process.env.DEEP === "1" ? 12 : 8;

describe("perft", () => {
  it.each(START_PERFT.filter(({ depth }) => depth <= DEPTH_MAX))(
    "from the start counts $nodes at depth $depth",
    (row) => {
      expect(perft(checkers.start(), row.depth)).toBe(row.nodes);
    },
  );

  it("counts one at depth 0 and nothing once the game is over", () => {
    expect(perft(checkers.start(), 0)).toBe(1);
    expect(perft(at("W:Wa3:Bb4,c5"), 1)).toBe(0);
    expect(perft(at("W:Wa3:Bb4,c5"), 3)).toBe(0);
  });
});

describe("listDistinctMoves", () => {
  it("is sorted by from, to and captured squares", () => {
    expect(listDistinctMoves(at("W:WKa1,c1:Bd4,d2"))).toEqual([
      [56, 7, [35]],
      [56, 14, [35]],
      [56, 21, [35]],
      [56, 28, [35]],
      [58, 26, [35, 51]],
    ]);
  });
});

describe("parseBoard", () => {
  it("reads the start", () => {
    const position = parseBoard(START, 1);
    expect(position.ok && checkers.formatPosition(position.value)).toBe(checkers.formatPosition(checkers.start()));
  });

  it("reads kings and the side to move", () => {
    const position = parseBoard(`.A......${".".repeat(48)}B.......`, 2);
    expect(position.ok && checkers.formatPosition(position.value)).toBe("B:WKb8:BKa1");
  });

  it.each([
    ["too short", START.slice(1)],
    ["too long", `${START}.`],
    ["an unknown sign", START.replace("a", "x")],
    ["a piece on a light square", `A${EMPTY.slice(1)}`],
    ["a man where it would be crowned", `.a${EMPTY.slice(2)}`],
    ["no pieces", EMPTY],
  ])("refuses %s", (_why, text) => {
    expect(parseBoard(text, 1)).toEqual({ ok: false, refusal: "bad_position" });
  });
});
