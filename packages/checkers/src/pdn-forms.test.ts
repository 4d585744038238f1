import type { GameHistory } from "@holo/rules/pgn-pdn.ts";
import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { pdn } from "./pdn.ts";
import { at } from "./testing/board-words.ts";
import { readPdn } from "./testing/read-pdn.ts";

function read(text: string): GameHistory {
  const record = readPdn(text);
  if (!record.ok) throw new Error(`not read: ${text}`);
  return record.value;
}

function wordsOf(text: string): string {
  const record = read(text);
  let position = record.tags.has("FEN") ? at(record.tags.get("FEN")!) : checkers.start();
  const words = record.moves.map((move) => {
    const word = checkers.formatMove(position, move);
    const played = checkers.play(position, move.path);
    if (!played.ok) throw new Error("a record told an illegal move");
    position = played.value.position;
    return word;
  });
  return words.join(" ");
}

const CHAIN = '[FEN "W:Wc3:Bd4,f6,h8"]';

describe("files of other programs are read", () => {
  it.each([
    ["a byte order mark", "\uFEFF1. c3-d4", "c3-d4"],
    ["line ends of Windows", '[White "a"]\r\n\r\n1. c3-d4\r\nd6-c5 ; so\r\n*\r\n', "c3-d4 d6-c5"],
    ["comments and side lines", "{a} 1. c3-d4 (1. e3-d4 {b} (1. g3-f4)) {c} d6-c5 ; d", "c3-d4 d6-c5"],
    ["glyphs and marks", "1. c3-d4! $1 d6-c5(?) 2. b2-c3 !?", "c3-d4 d6-c5 b2-c3"],
    ["numbers that touch", "1.c3-d4 d6-c5 2.b2-c3 2...c5-b4", "c3-d4 d6-c5 b2-c3 c5-b4"],
    ["dots for a move not told", '[FEN "B:Wa1:Bb6"] 1. ... b6-c5', "b6-c5"],
    ["dots that stand apart", "1. c3-d4 1. ... d6-c5", "c3-d4 d6-c5"],
    ["lines that begin with %", '% Russian draughts\n[White "a"]\n1. c3-d4\n% so\nd6-c5', "c3-d4 d6-c5"],
    ["nothing between the squares", "1. c3d4 d6c5", "c3-d4 d6-c5"],
    ["nothing between the squares of a capture", `${CHAIN} 1. c3g7 h8f6`, "c3:g7 h8:f6"],
    ["x for captures", `${CHAIN} 1. c3xg7 h8xf6`, "c3:g7 h8:f6"],
    ["a colon for captures", `${CHAIN} 1. c3:g7 h8:f6`, "c3:g7 h8:f6"],
    ["× for captures", `${CHAIN} 1. c3×g7 h8×f6`, "c3:g7 h8:f6"],
    ["every landing", `${CHAIN} 1. c3:e5:g7 h8:f6`, "c3:g7 h8:f6"],
    ["other dashes", "1. c3–d4 d6—c5", "c3-d4 d6-c5"],
    ["capital letters", "1. C3-D4 D6-C5", "c3-d4 d6-c5"],
    ["numbers of squares", "1. 22-18 10-15", "c3-d4 d6-e5"],
    ["numbers that begin with 0", '[FEN "B:W29:B01,05"] 1... 05-09', "a7-b6"],
    ["numbers of squares that touch move numbers", "1.22-18 10-15 2.21-17", "c3-d4 d6-e5 a3-b4"],
    ["tags that nobody knows", '[ResultFormat "Plus draw"][x ""] 1. c3-d4', "c3-d4"],
    ["a game without moves", "1. 2-0", ""],
  ])("with %s", (_name, text, words) => {
    expect(wordsOf(text)).toBe(words);
  });

  it.each(["25", "25,W,8,8,A0,0", "25,W,8,8,A1,0", "25,W,8,8,N2,0", " 25 , W", ""])("with game type %j", (type) => {
    expect(wordsOf(`[GameType "${type}"] 1. c3-d4`)).toBe("c3-d4");
  });

  it.each(["20", "21,B,8,8,N1,0", "26,W,8,8,A0,0", "250", "Russian"])("but not with game type %j", (type) => {
    expect(readPdn(`[GameType "${type}"] 1. c3-d4`)).toEqual({ ok: false, refusal: "bad_record" });
  });

  it.each([
    ["names", "W:Wc3,Kd4:Bb8"],
    ["black's list first", "W:Bb8:Wc3,Kd4"],
    ["numbers", "W:W22,K18:B1"],
    ["numbers and a full stop", "W:W22,K18:B1."],
    ["blanks and small letters", "w: w c3, k d4 : b b8"],
  ])("with a FEN tag of %s", (_name, fen) => {
    const record = read(`[SetUp "1"] [FEN "${fen}"] 1. c3-b4 b8-a7`);
    expect(record.moves.map(({ path }) => path)).toEqual([
      [42, 33],
      [1, 8],
    ]);
    expect(read(pdn.formatGame(record))).toMatchObject({ moves: record.moves });
  });

  it.each([
    ["a position that is set up amid the game", '1. c3-d4 /FEN "B:Wd4:Bb8"/ b8-a7'],
    ["an unknown move", "1. c3-d4 - -"],
    ["a move of four digits", "1. 2218 1015"],
    ["a FEN of another board", '[FEN "W:W31-50:B1-20"] *'],
  ])("but not with %s", (_name, text) => {
    expect(readPdn(text)).toEqual({ ok: false, refusal: "bad_record" });
  });
});

describe("results", () => {
  it.each([
    ["2-0", "1-0"],
    ["1-0", "1-0"],
    ["0-2", "0-1"],
    ["0-1", "0-1"],
    ["1-1", "1/2-1/2"],
    ["1/2-1/2", "1/2-1/2"],
    ["½-½", "1/2-1/2"],
    ["0-0", "*"],
    ["*", "*"],
  ])("%s is read as %s, at the end and in the tag", (text, result) => {
    expect(read(`1. c3-d4 ${text}`)).toMatchObject({ result });
    expect(read(`[Result "${text}"] 1. c3-d4`)).toMatchObject({ result });
    expect(read(`[Result "${text}"] 1. c3-d4 *`)).toMatchObject({ result });
  });
});

it("reads the first of several games", () => {
  for (const end of ["1-0", "*", ""]) {
    const text = `[White "a"] 1. c3-d4 ${end}\n\n[White "b"]\n1. c3-b4 2-0`;
    expect(read(text)).toMatchObject({ tags: new Map([["White", "a"]]), moves: [{ path: [42, 35] }] });
  }
  expect(wordsOf("1. c3-d4 2-0\n1. c3-b4 0-2")).toBe("c3-d4");
});

describe("clocks", () => {
  const { moves } = read("1. c3-d4 d6-c5 2. b2-c3");

  it("are written in whole seconds, and black's move is numbered again", () => {
    const text = pdn.formatGame({ tags: new Map(), moves, result: "*", remainingMs: [600_000, 599_999, null] });
    expect(text).toContain("1. c3-d4 {[%clk 0:10:00]} 1... d6-c5 {[%clk 0:09:59]} 2. b2-c3 *");
    expect(read(text).remainingMs).toEqual([600_000, 599_000, null]);
  });

  it("are read by colour too", () => {
    const text = "1. c3-d4 {[%clock w0:10:00 B0:10:00]} d6-c5 {[%clock W0:10:00 b0:09:58]}";
    expect(read(text).remainingMs).toEqual([600_000, 598_000]);
  });
});
