import { readFileSync } from "node:fs";
import { GAMES } from "@holo/rules/registry.ts";
import { expect, test } from "vitest";
import { DRAWING_FILES } from "../../platform/build.ts";
import { parseDrawings } from "./drawings.ts";
import { drawPicture, type GamePicture } from "./game-picture.ts";

const drawings = parseDrawings(DRAWING_FILES.map((file) => readFileSync(file, "utf8")));
/** As wide as the widest letter. */
const measure = (text: string): number => text.length;
const draw = (changed: Partial<GamePicture> = {}): string => drawPicture({ ...PICTURE, ...changed }, drawings, measure);

const PICTURE: GamePicture = {
  game: "checkers",
  board: `.A${"a".repeat(20)}${".".repeat(42)}`,
  names: ["ada", "bola"],
  outcome: "win",
  winner: 2,
  headline: "Won on time",
  moveCount: 31,
  limitMinutes: 5,
  amount: null,
};

interface DrawnText {
  readonly x: number;
  readonly size: number;
  readonly isRight: boolean;
  readonly text: string;
}

function readTexts(svg: string): readonly DrawnText[] {
  const found = svg.matchAll(/<text x="([\d.]+)".*?font-size="([\d.]+)" text-anchor="(\w+)".*?>(.*?)<\/text>/g);
  return [...found].map(([, x, size, anchor, text]) => ({
    x: Number(x),
    size: Number(size),
    isRight: anchor === "end",
    text: text!,
  }));
}

test("shows names, score, reason and number of moves", () => {
  const texts = readTexts(draw()).map(({ text }) => text);
  expect(texts).toEqual(["Won on time", "ada", "0", "bola", "1", "Checkers · 31 moves · 5 min each"]);
  expect(readTexts(draw({ outcome: "draw", winner: null })).filter(({ text }) => text === "½")).toHaveLength(2);
  expect(readTexts(draw({ moveCount: 1 })).at(-1)?.text).toContain("· 1 move ·");
});

test("keeps the longest texts off the board", () => {
  const long = { names: ["W".repeat(20), "M".repeat(36)], headline: "W".repeat(40), amount: "W".repeat(40) } as const;
  for (const { x, size, text, isRight } of readTexts(draw(long)))
    expect(isRight ? x : x + size * measure(text), text).toBeLessThanOrEqual(56 + 508);
});

test("draws every piece of every game", () => {
  for (const { id, pieces } of GAMES) {
    const letters = Object.values(pieces).flat();
    const svg = draw({ game: id, board: letters.join("").padEnd(64, ".") });
    const drawn = [...svg.matchAll(/<use href="#([\w-]+)"/g)].map(([, name]) => name);
    expect(new Set(drawn).size, id).toBeGreaterThanOrEqual(letters.length + 2);
    expect(svg).not.toContain("var(");
  }
});

test("writes a name as text", () => {
  expect(draw({ names: ["<b>&", "\u0007bola"] })).toContain(">&lt;b&gt;&amp;</text>");
});
