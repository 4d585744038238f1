import type { GameHistory, GameResult } from "@holo/rules/pgn-pdn.ts";
import type { Move } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CheckersPosition, checkers } from "./checkers.ts";
import { pdn } from "./pdn.ts";
import { choices, setups, toPosition } from "./testing/arbitrary.ts";
import { at, toPath } from "./testing/board-words.ts";
import { readPdn } from "./testing/read-pdn.ts";

function playOut(from: CheckersPosition, picks: readonly number[]): Move[] {
  const moves: Move[] = [];
  let position = from;
  for (const pick of picks) {
    const legal = checkers.legalMoves(position);
    if (legal.length === 0) break;
    const move = legal[pick % legal.length]!;
    const played = checkers.play(position, move.path);
    if (!played.ok) throw new Error("a legal move was refused");
    moves.push(move);
    position = played.value.position;
  }
  return moves;
}

function read(text: string): GameHistory | string {
  const record = readPdn(text);
  return record.ok ? record.value : record.refusal;
}

function movesOf(text: string): string[] | string {
  const record = read(text);
  if (typeof record === "string") return record;
  let position = record.tags.has("FEN") ? at(record.tags.get("FEN")!) : checkers.start();
  return record.moves.map((move) => {
    const written = checkers.formatMove(position, move);
    const played = checkers.play(position, move.path);
    if (!played.ok) throw new Error("a record told an illegal move");
    position = played.value.position;
    return written;
  });
}

describe("a record", () => {
  it("is written with its tags, game type, result and numbered moves", () => {
    const record: GameHistory = {
      tags: new Map([
        ["Event", 'The "Lagos" \\ open'],
        ["White", "Ada"],
      ]),
      moves: [
        { path: toPath("c3 d4"), captured: [] },
        { path: toPath("d6 c5"), captured: [] },
        { path: toPath("b2 c3"), captured: [] },
      ],
      result: "1/2-1/2",
    };
    expect(pdn.formatGame(record)).toBe(
      [
        '[Event "The \\"Lagos\\" \\\\ open"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Round "?"]',
        '[White "Ada"]',
        '[Black "?"]',
        '[Result "1/2-1/2"]',
        '[GameType "25,W,8,8,A0,0"]',
        "",
        "1. c3-d4 d6-c5 2. b2-c3 1/2-1/2",
        "",
      ].join("\n"),
    );
  });

  it("begins with 1... if black moves first", () => {
    const text = pdn.formatGame({
      tags: new Map([["FEN", "B:Wa1:Bb6"]]),
      moves: [
        { path: toPath("b6 c5"), captured: [] },
        { path: toPath("a1 b2"), captured: [] },
      ],
      result: "*",
    });
    expect(text).toContain("1... b6-c5 2. a1-b2 *");
  });

  it("is refused with illegal moves", () => {
    const moves = [{ path: toPath("c3 e5"), captured: [] }];
    expect(() => pdn.formatGame({ tags: new Map(), moves, result: "*" })).toThrow("legal");
  });

  it("is read as it was written, whatever the game", () => {
    const results = fc.constantFrom<GameResult>("1-0", "0-1", "1/2-1/2", "*");
    const names = fc.string({ unit: "grapheme-ascii" }).map((name) => name.replace(/\s+/g, " "));
    const property = fc.property(fc.option(setups), choices, results, names, (setup, picks, result, white) => {
      const start = setup === null ? checkers.start() : toPosition(setup);
      const tags = new Map([
        ["Event", "?"],
        ["Site", "?"],
        ["Date", "????.??.??"],
        ["Round", "?"],
        ["White", white],
        ["Black", "?"],
        ["Result", result],
        ["GameType", "25,W,8,8,A0,0"],
      ]);
      if (setup !== null) tags.set("FEN", checkers.formatPosition(start)).set("SetUp", "1");
      const record: GameHistory = { tags, moves: playOut(start, picks), result };
      const text = pdn.formatGame(record);
      const parsed = readPdn(text);
      expect(parsed).toEqual({ ok: true, value: record });
      expect(parsed.ok && pdn.formatGame(parsed.value)).toBe(text);
      expect(
        Math.max(
          ...text
            .split("\n")
            .slice(tags.size + 1)
            .map((line) => line.length),
        ),
      ).toBeLessThan(80);
    });
    fc.assert(property, { seed: 11, numRuns: 200 });
  });
});

describe("reading a record", () => {
  it("ignores comments, marks, glyphs, side lines and line ends", () => {
    const text = [
      '\uFEFF[Event "x"]\r',
      "{an opening} 1. c3-d4! $1 d6-c5 (1... f6-g5? (1... b6-a5 {deeper}) 2. b2-c3) ; to the end of the line",
      "2 b2-c3 f6-g5 !? 3.c3-b4",
      "2-0",
    ].join("\n");
    expect(movesOf(text)).toEqual(["c3-d4", "d6-c5", "b2-c3", "f6-g5", "c3-b4"]);
    expect(readPdn(text)).toMatchObject({ value: { result: "1-0" } });
  });

  it("reads short captures and numbers, from the position of its FEN tag", () => {
    expect(movesOf('[FEN "W:Wc3:Bd4,f6,h8"] 1. c3xg7 h8:f6 *')).toEqual(["c3:g7", "h8:f6"]);
    expect(movesOf('[FEN "W:Wc3:Bd4,f6,h8"] 1. 22x8 4x11')).toEqual(["c3:g7", "h8:f6"]);
  });

  it("takes the result from the end, else from its tag, else leaves it open", () => {
    expect(read("1. c3-d4 0-1")).toMatchObject({ result: "0-1" });
    expect(read('[Result "1-1"] 1. c3-d4')).toMatchObject({ result: "1/2-1/2" });
    expect(read("1. c3-d4")).toMatchObject({ result: "*" });
    expect(read("")).toEqual({ tags: new Map(), moves: [], result: "*" });
  });

  it.each([
    ["an illegal move", "1. c3-e5"],
    ["a word that is no move", "1. hello"],
    ["another game type", '[GameType "20"] 1. c3-d4'],
    ["a FEN that is no position", '[FEN "W:Wb1:Bb6"] *'],
    ["a tag twice", '[White "a"] [White "b"] *'],
    ["a tag in a side line", '1. c3-d4 (1. e3-d4 [White "a"]) *'],
    ["an unclosed comment", "1. c3-d4 {and then"],
    ["an unclosed side line", "1. c3-d4 (1. e3-d4"],
    ["a side line that is not open", "1. c3-d4 ) *"],
    ["a result that contradicts its tag", '[Result "1-0"] 1. c3-d4 0-1'],
    ["a move after the result", "1. c3-d4 1-0 d6-c5"],
    ["two results", "1. c3-d4 1-0 1-0"],
    ["an unknown sign", "1. c3-d4 @"],
  ])("refuses %s", (_what, text) => {
    expect(read(text)).toBe("bad_record");
  });
});
