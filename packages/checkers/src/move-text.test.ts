import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { setups, toPosition } from "./testing/arbitrary.ts";
import { at, toPath } from "./testing/board-words.ts";

function parse(fen: string, text: string): readonly number[] | string {
  const move = checkers.parseMove(at(fen), text);
  return move.ok ? move.value.path : move.refusal;
}

function formatAll(fen: string): string[] {
  return checkers.legalMoves(at(fen)).map((move) => checkers.formatMove(at(fen), move));
}

const TWO_WAYS = "W:Wb6:Bc7,f6,b4,e3,g3";

describe("formatMove", () => {
  it("writes a quiet move with a hyphen and a capture with a colon", () => {
    expect(formatAll("W:Wc3:Bh8")).toEqual(["c3-b4", "c3-d4"]);
    expect(formatAll("W:Wc3:Bd4,f6")).toEqual(["c3:g7"]);
  });

  it("names every landing if two captures have equal ends", () => {
    expect(formatAll(TWO_WAYS)).toEqual(["b6:d8:g5:d2:a5", "b6:a3", "b6:d8:h4:e1:a5"]);
  });
});

describe("parseMove", () => {
  it("reads what formatMove writes, whatever the position", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      for (const move of checkers.legalMoves(position)) {
        expect(checkers.parseMove(position, checkers.formatMove(position, move))).toEqual({ ok: true, value: move });
      }
    });
    fc.assert(property, { seed: 5, numRuns: 2_000 });
  });

  it("reads x for the colon, either case, numbers, and superfluous landings of a capture", () => {
    expect(parse("W:Wc3:Bd4,f6", "c3xg7")).toEqual(toPath("c3 e5 g7"));
    expect(parse("W:Wc3:Bd4,f6", " C3:E5:G7 ")).toEqual(toPath("c3 e5 g7"));
    expect(parse("W:Wc3:Bd4,f6", "22x8")).toEqual(toPath("c3 e5 g7"));
    expect(parse("W:Wc3:Bh8", "22-18")).toEqual(toPath("c3 d4"));
  });

  it("reads only the landings that distinguish one capture from the others", () => {
    expect(parse(TWO_WAYS, "b6:g5:a5")).toEqual(toPath("b6 d8 g5 d2 a5"));
    expect(parse(TWO_WAYS, "b6:e1:a5")).toEqual(toPath("b6 d8 h4 e1 a5"));
    expect(parse(TWO_WAYS, "b6:a5")).toBe("illegal_move");
  });

  it("takes the first of several matching paths to one position", () => {
    expect(parse("W:WKa1:Bc3,f6", "a1:h8")).toEqual(toPath("a1 e5 h8"));
    expect(parse("W:WKa1:Bc3,f6", "a1:d4:h8")).toEqual(toPath("a1 d4 h8"));
  });

  it.each([
    ["an illegal move", "c3-e5"],
    ["a capture written as a quiet move", "c3-g7"],
    ["a capture that is not finished", "c3:e5"],
    ["one square", "c3"],
    ["a light square", "c3:c4"],
    ["nothing", ""],
    ["three squares of a quiet move", "c3-d4-e5"],
    ["other words", "castle"],
    ["landings in another order", "c3:g7:e5"],
  ])("refuses %s", (_what, text) => {
    expect(parse("W:Wc3:Bd4,f6", text)).toBe("illegal_move");
  });

  it("refuses a quiet move written as a capture", () => {
    expect(parse("W:Wc3:Bh8", "c3:d4")).toBe("illegal_move");
  });
});
