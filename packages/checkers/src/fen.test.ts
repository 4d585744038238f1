import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { setups, toBoardText, toPosition } from "./testing/arbitrary.ts";
import { at } from "./testing/board-words.ts";

const START = checkers.formatPosition(checkers.start());

describe("formatPosition", () => {
  it("names the side to move, white's pieces and black's, kings with K", () => {
    expect(checkers.formatPosition(at("B:Bb6:WKc3,a1"))).toBe("B:WKc3,a1:Bb6");
  });

  it("writes everything that parsePosition needs for the same position", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      const read = at(checkers.formatPosition(position));
      expect(read).toEqual(position);
      expect(toBoardText(read)).toBe(setup.board);
    });
    fc.assert(property, { seed: 3, numRuns: 2_000 });
  });
});

describe("parsePosition", () => {
  it.each([
    ["numbers", "W:W29,K22:B5", "W:WKc3,a1:Ba7"],
    ["ranges of numbers", "W:W21-32:B1-12", START],
    ["black's list first", "W:Bb6:Wa1,Kc3", "W:WKc3,a1:Bb6"],
    ["either case", "w:wA1,kC3:bB6", "W:WKc3,a1:Bb6"],
    ["spaces and a full stop", " W : W a1, Kc3 : B b6 . ", "W:WKc3,a1:Bb6"],
    ["a side without pieces", "B:Wa1:B", "B:Wa1:B"],
    ["a king on the last row", "W:WKb8:BKa1", "W:WKb8:BKa1"],
  ])("reads %s", (_what, text, formatted) => {
    expect(checkers.formatPosition(at(text))).toBe(formatted);
  });

  it.each([
    ["nothing", ""],
    ["another word", "start"],
    ["no side to move", "Wa1:Bb6"],
    ["an unknown side to move", "X:Wa1:Bb6"],
    ["a missing side", "W:Wa1"],
    ["one side twice", "W:Wa1:Wb6"],
    ["a further part", "W:Wa1:Bb6:H0"],
    ["no pieces at all", "W:W:B"],
    ["a light square", "W:Wb1:Bb6"],
    ["a square off the board", "W:Wa9:Bb6"],
    ["a number off the board", "W:W33:B1"],
    ["a number below the board", "W:W0:B1"],
    ["a range that runs backward", "W:W32-21:B1"],
    ["a range off the board", "W:W30-40:B1"],
    ["a square twice", "W:Wa1,a1:Bb6"],
    ["a square twice in other words", "W:Wa1,K29:Bb6"],
    ["a square on both sides", "W:Wa1:Ba1"],
    ["an empty item", "W:Wa1,,c1:Bb6"],
    ["a white man on the last row", "W:Wb8:Bb6"],
    ["a black man on the first row", "W:Wc3:Ba1"],
    ["more than twelve of a side", "W:W17-29:B1"],
    ["a prefix that is not K", "W:WQa1:Bb6"],
  ])("refuses %s", (_what, text) => {
    expect(checkers.parsePosition(text)).toEqual({ ok: false, refusal: "bad_position" });
  });
});
