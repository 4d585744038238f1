import type { GameHistory } from "@holo/rules/pgn-pdn.ts";
import { describe, expect, test } from "vitest";
import { chess } from "./chess.ts";
import { pgn } from "./pgn.ts";
import { readPgn } from "./testing/read-pgn.ts";

const REFUSED = { ok: false, refusal: "bad_record" };
const MORPHY = `[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8.
Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14.
Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

function parsed(text: string): GameHistory {
  const record = readPgn(text);
  if (!record.ok) throw new Error(`not read: ${text}`);
  return record.value;
}

function pathsOf(text: string): string[] {
  return parsed(text).moves.map((move) => move.path.join("-"));
}

const PLAIN = pathsOf("1. e4 e5 2. Nf3 Nc6 *");

describe("writing", () => {
  test("reproduces the text of a parsed game exactly", () => {
    expect(pgn.formatGame(parsed(MORPHY))).toBe(MORPHY);
  });
  test("writes a question mark for unknown tags of the roster, and the record's result", () => {
    const text = pgn.formatGame({ tags: new Map([["Result", "0-1"]]), moves: [], result: "*" });
    expect(text).toBe(
      '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n*\n',
    );
  });
  test("sorts other tags by name after the roster", () => {
    const tags = new Map([
      ["TimeControl", "300"],
      ["White", "ada"],
      ["Annotator", "bola"],
    ]);
    const names = pgn.formatGame({ tags, moves: [], result: "*" }).match(/(?<=\[)\w+/g);
    expect(names?.slice(7)).toEqual(["Annotator", "TimeControl"]);
  });
  test("escapes quotes and backslashes in tags and replaces line breaks by spaces", () => {
    const tags = new Map([["Event", 'a "b" \\ c\nd']]);
    const text = pgn.formatGame({ tags, moves: [], result: "*" });
    expect(text).toContain('[Event "a \\"b\\" \\\\ c d"]');
    expect(parsed(text).tags.get("Event")).toBe('a "b" \\ c d');
  });
  test("names another start position and numbers the moves from there", () => {
    const fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 7";
    const text = pgn.formatGame(parsed(`[FEN "${fen}"]\n\n7... O-O 8. O-O-O *`));
    expect(text).toContain(`[SetUp "1"]`);
    expect(text).toContain(`[FEN "${fen}"]`);
    expect(text).toContain("\n7... O-O 8. O-O-O *\n");
  });
  test("keeps lines of moves below 80 columns", () => {
    const shuffle = Array.from({ length: 60 }, () => "Nf3 Nf6 Ng1 Ng8").join(" ");
    const lines = pgn.formatGame(parsed(`${shuffle} *`)).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBe(79);
    expect(lines.length).toBeGreaterThan(20);
  });
  test("throws for an illegal move, an invalid start position or a tag without a name", () => {
    const moves = [{ path: [52, 28], captured: [] }];
    expect(() => pgn.formatGame({ tags: new Map(), moves, result: "*" })).toThrow("legal");
    expect(() => pgn.formatGame({ tags: new Map([["FEN", "x"]]), moves: [], result: "*" })).toThrow("position");
    expect(() => pgn.formatGame({ tags: new Map([["a b", "x"]]), moves: [], result: "*" })).toThrow("tag");
  });
});

describe("reads the same moves", () => {
  test.each([
    ["without numbers", "e4 e5 Nf3 Nc6 *"],
    ["with numbers that touch their moves", "1.e4 e5 2.Nf3 Nc6 *"],
    ["with black's numbers", "1. e4 1... e5 2. Nf3 2... Nc6 *"],
    ["with numbers without dots", "1 e4 e5 2 Nf3 Nc6 *"],
    ["with dots that stand apart", "1. e4 1. ... e5 2. Nf3 Nc6 *"],
    ["through comments", "1. e4 {best (by test) ;} e5 ; the rest { is ) ignored\n2. Nf3{x}Nc6 *"],
    ["through side lines in side lines", "1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) e5 2. Nf3 (2. f4) Nc6 *"],
    ["through side lines that are not legal", "1. e4 (1. Ke8 nonsense 1-0) e5 2. Nf3 Nc6 *"],
    ["through glyphs and marks", "1. e4! $1 e5?! $146 2. Nf3 !? Nc6 *"],
    ["through escaped lines", "% for another program\n1. e4 e5\n%[so\n2. Nf3 Nc6 *"],
    ["with line ends of other systems", '\uFEFF[Event "x"]\r\n\r\n1. e4 e5\r\n2. Nf3 Nc6\r\n*\r\n'],
    ["in long notation", "1. e2-e4 e7-e5 2. Ng1-f3 b8c6 *"],
    ["without an ending", "1. e4 e5 2. Nf3 Nc6"],
  ])("%s", (_name, text) => {
    expect(pathsOf(text)).toEqual(PLAIN);
  });
});

test("distinguishes castling written with zeros from move numbers and results", () => {
  expect(parsed("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0 0-1").moves).toHaveLength(8);
});

test("reports captures and promotions as the rules do", () => {
  const record = parsed('[FEN "3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1"] 1. exd8=N *');
  expect(record.moves).toEqual([{ path: [12, 3], captured: [3], promotion: "n" }]);
});

test("takes the result from the end, else from the tag, else leaves it open", () => {
  expect(parsed("1. e4 1/2-1/2").result).toBe("1/2-1/2");
  expect(parsed('[Result "0-1"] 1. e4').result).toBe("0-1");
  expect(parsed("1. e4").result).toBe("*");
  expect(parsed("").moves).toEqual([]);
});

describe("an invalid record is refused:", () => {
  test.each([
    ["an illegal move", "1. e4 e4 *"],
    ["a word", "1. e4 hello *"],
    ["an unknown sign", "1. e4 & *"],
    ["an unclosed comment", "1. e4 {and so on"],
    ["an unclosed side line", "1. e4 (1. d4"],
    ["a side line that was never opened", "1. e4 ) e5 *"],
    ["a move after the result", "1. e4 1-0 1... e5"],
    ["two results", "1. e4 1-0 1-0"],
    ["a result that contradicts its tag", '[Result "1-0"] 1. e4 0-1'],
    ["a tag given twice", '[Event "a"] [Event "b"] *'],
    ["an unclosed tag", '[Event "a'],
    ["a start that is no position", '[FEN "nonsense"] *'],
  ])("%s", (_name, text) => {
    expect(readPgn(text)).toEqual(REFUSED);
  });
  test("a long text of opening brackets, quickly", () => {
    for (const text of ["(", "{", "[a ", " ;", '[a "\\a']) expect(readPgn(text.repeat(50_000)).ok).toBe(text === " ;");
  });
});

test("formats a game from the start as it was played", () => {
  const played = chess.play(chess.start(), [52, 36]);
  const record = parsed("1. e4 *");
  expect(played.ok && record.moves).toEqual(played.ok && [played.value.move]);
});
