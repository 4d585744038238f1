import type { GameHistory } from "@holo/rules/pgn-pdn.ts";
import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { pgn } from "./pgn.ts";
import { readPgn } from "./testing/read-pgn.ts";

function parsed(text: string): GameHistory {
  const record = readPgn(text);
  if (!record.ok) throw new Error(`not read: ${text}`);
  return record.value;
}

function sansOf(text: string): string {
  const record = parsed(text);
  const start = chess.parsePosition(record.tags.get("FEN") || chess.formatPosition(chess.start()));
  if (!start.ok) throw new Error(`no position: ${text}`);
  let position = start.value;
  const sans: string[] = [];
  for (const move of record.moves) {
    sans.push(chess.formatMove(position, move));
    const played = chess.play(position, move.path, move.promotion);
    if (!played.ok) throw new Error(`not legal: ${text}`);
    position = played.value.position;
  }
  return sans.join(" ");
}

const PROMOTING = '[FEN "8/4P2k/8/8/8/8/8/4K3 w - - 0 1"]';
const PASSING = '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"]';

describe("files of other programs are read", () => {
  test.each([
    ["a byte order mark", "\uFEFF1. e4 e5", "e4 e5"],
    ["line ends of Windows", '[White "a"]\r\n\r\n1. e4\r\ne5 ; so\r\n2. Nf3\r\n*\r\n', "e4 e5 Nf3"],
    ["line ends of old machines", '[White "a"]\r\r1. e4 ; so\re5\r% x\r2. Nf3 *', "e4 e5 Nf3"],
    ["comments of both kinds", "{before} 1. e4 {e5} e5 ; 2. d4\n2. Nf3", "e4 e5 Nf3"],
    ["comments that touch their moves", "1.e4{a}e5{b}2.Nf3{c}", "e4 e5 Nf3"],
    ["side lines in side lines", "1. e4 (1. d4 d5 (1... Nf6 $5 (1... f5))) 1... e5", "e4 e5"],
    ["numeric glyphs", "1. e4 $1 $14 e5 $2", "e4 e5"],
    ["marks", "1. e4!? e5?? 2. Nf3(!) Nc6 !", "e4 e5 Nf3 Nc6"],
    ["numbers that touch", "1.e4 e5 2.Nf3 2...Nc6", "e4 e5 Nf3 Nc6"],
    ["no numbers", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6"],
    ["numbers without dots", "1 e4 e5 2 Nf3", "e4 e5 Nf3"],
    ["an ellipsis as one sign", "1. e4 1… e5", "e4 e5"],
    ["a number without its move", "1. e4 e5 2.", "e4 e5"],
    ["castling by zeros", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"],
    ["a promotion without a sign", `${PROMOTING} 1. e8R`, "e8=R"],
    ["a promotion by =", `${PROMOTING} 1. e8=N+`, "e8=N"],
    ["a promotion by /", `${PROMOTING} 1. e8/B!`, "e8=B"],
    ["a promotion in brackets", `${PROMOTING} 1. e8(N) Kh6`, "e8=N Kh6"],
    ["a promotion by squares", `${PROMOTING} 1. e7e8r`, "e8=R"],
    ["marks of check that are missing", '[FEN "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"] 1. Qf7', "Qf7+"],
    ["marks of check that are wrong", "1. e4# e5+ 2. Nf3++", "e4 e5 Nf3"],
    ["en passant, apart", `${PASSING} 1. exd6 e.p. Kd7`, "exd6 Kd7"],
    ["en passant, attached", `${PASSING} 1. e5xd6e.p. Kd7`, "exd6 Kd7"],
    ["long notation", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6", "e4 e5 Nf3 Nc6"],
    ["long notation with other dashes", "1. e2–e4 e7—e5 2. Ng1−f3", "e4 e5 Nf3"],
    ["bare squares", "1. e2e4 e7e5 2. g1f3", "e4 e5 Nf3"],
    ["a pawn's letter", "1. Pe4 Pe7-e5", "e4 e5"],
    ["captures by a colon", "1. e4 d5 2. e4:d5 Q:d5", "e4 d5 exd5 Qxd5"],
    ["captures by ×", "1. e4 d5 2. e×d5", "e4 d5 exd5"],
    ["escaped lines", "% e5\n1. e4\n%[White x\ne5 %", "e4 e5"],
    ["tags that nobody knows", '[Foo_1 "bar"] [x ""] 1. e4', "e4"],
    ["tags on one line", '[White "a"][Black "b"]1. e4', "e4"],
    ["an empty FEN tag", '[FEN ""] 1. e4', "e4"],
    ["nothing but tags", '[White "a"]', ""],
    ["no text at all", "", ""],
    ["chess.com's clocks", "1. e4 {[%clk 0:09:58.3]} 1... e5 {[%clk 0:09:59]} 1-0", "e4 e5"],
    ["lichess's comments", "1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... e5 { [%eval 0.19] }", "e4 e5"],
  ])("with %s", (_name, text, sans) => {
    expect(sansOf(text.replace(/ %$/, ""))).toBe(sans);
  });

  test("with escaped quotes and lone backslashes in tags", () => {
    expect(parsed('[White "a \\"b\\" \\\\ c:\\d"] 1. e4').tags.get("White")).toBe('a "b" \\ c:\\d');
  });
});

describe("results", () => {
  test.each([
    ["1-0", "1-0"],
    ["0-1", "0-1"],
    ["0–1", "0-1"],
    ["1/2-1/2", "1/2-1/2"],
    ["1/2", "1/2-1/2"],
    ["½-½", "1/2-1/2"],
    ["½–½", "1/2-1/2"],
    ["*", "*"],
  ])("%s is read as %s, at the end and in the tag", (text, result) => {
    expect(parsed(`1. e4 e5 ${text}`)).toMatchObject({ result, moves: { length: 2 } });
    expect(parsed(`[Result "${text}"] 1. e4 e5`)).toMatchObject({ result, moves: { length: 2 } });
  });
  test("are taken from the other place if one leaves the result open", () => {
    expect(parsed('[Result "1-0"] 1. e4 *').result).toBe("1-0");
    expect(parsed('[Result "*"] 1. e4 1-0').result).toBe("1-0");
  });
  test("ignore an unknown result in the tag", () => {
    expect(parsed('[Result "forfeit"] 1. e4 0-1').result).toBe("0-1");
    expect(parsed('[Result "forfeit"] 1. e4').result).toBe("*");
  });
  test("can be followed by a comment", () => {
    expect(parsed("1. e4 1-0 {Black resigns} ; so it was").result).toBe("1-0");
  });
});

describe("of several games the first is read", () => {
  test.each([
    ["with tags", '[White "a"]\n\n1. e4 1-0\n\n[White "b"]\n\n1. d4 0-1'],
    ["without a result between them", '[White "a"]\n\n1. e4\n\n[White "b"]\n[Result "0-1"]\n\n1. d4 0-1'],
    ["without tags on the second", '[White "a"] 1. e4 1-0\n1. d4 d5 1-0'],
    ["whatever the second is", '[White "a"] 1. e4 1-0 {and} [White "b"] 1. e5 {'],
  ])("%s", (_name, text) => {
    expect(parsed(text)).toMatchObject({ tags: new Map([["White", "a"]]), moves: [{ path: [52, 36] }] });
  });
});

describe("clocks", () => {
  const moves = parsed("1. e4 e5 2. Nf3").moves;

  test("are written behind their moves, rounded down, and black's move is numbered again", () => {
    const record = { tags: new Map(), moves, result: "*", remainingMs: [300_000, 299_399, 4_099] } as const;
    const text = pgn.formatGame(record);
    expect(text).toContain("1. e4 {[%clk 0:05:00]} 1... e5 {[%clk 0:04:59.3]} 2. Nf3 {[%clk 0:00:04]} *");
    expect(parsed(text).remainingMs).toEqual([300_000, 299_300, 4_000]);
  });
  test("are left out if unknown", () => {
    const text = pgn.formatGame({ tags: new Map(), moves, result: "*", remainingMs: [null, 3_600_000, null] });
    expect(text).toContain("1. e4 e5 {[%clk 1:00:00]} 2. Nf3 *");
    expect(parsed(text).remainingMs).toEqual([null, 3_600_000, null]);
  });
  test("are never split across lines, and no line reaches column 80", () => {
    const long = parsed(Array.from({ length: 40 }, () => "Nf3 Nf6 Ng1 Ng8").join(" "));
    const text = pgn.formatGame({ ...long, remainingMs: long.moves.map((_, ply) => ply * 997) });
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(80);
    expect(text.match(/\{[^}]*\n[^}]*\}/)).toBeNull();
    expect(parsed(text).remainingMs).toEqual(long.moves.map((_, ply) => Math.floor((ply * 997) / 100) * 100));
  });
  test("of side lines are ignored", () => {
    expect(parsed("1. e4 (1. d4 {[%clk 0:01:00]}) e5 {[%clk 0:02:00]}").remainingMs).toEqual([null, 120_000]);
  });
  test("are absent if no comment has one", () => {
    expect(parsed("1. e4 {good} e5 {[%clk soon]}")).not.toHaveProperty("remainingMs");
  });
  test("throw if their number differs from that of the moves", () => {
    expect(() => pgn.formatGame({ tags: new Map(), moves, result: "*", remainingMs: [1] })).toThrow("clock");
  });
});
