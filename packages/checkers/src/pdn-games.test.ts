import type { GameHistory } from "@holo/rules/pgn-pdn.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import { type CheckersPosition, checkers } from "./checkers.ts";
import { pdn } from "./pdn.ts";
import { toBoardText } from "./testing/arbitrary.ts";
import { at } from "./testing/board-words.ts";
import { MASTER_GAMES } from "./testing/master-games.ts";
import { readPdn } from "./testing/read-pdn.ts";
import { slowMoves } from "./testing/slow-rules.ts";

function read(text: string): GameHistory {
  const record = readPdn(text);
  if (!record.ok) throw new Error(`not read: ${text}`);
  return record.value;
}

function startOf(record: GameHistory): CheckersPosition {
  const fen = record.tags.get("FEN");
  return fen === undefined ? checkers.start() : at(fen);
}

function positionsOf(record: GameHistory): CheckersPosition[] {
  const positions = [startOf(record)];
  for (const move of record.moves) {
    const position = positions.at(-1)!;
    const played = checkers.play(position, move.path);
    if (!played.ok) throw new Error("a record told an illegal move");
    expect(played.value.move).toEqual(move);
    const slow = slowMoves(toBoardText(position), checkers.toMove(position)).find(
      ({ path }) => path.join() === move.path.join(),
    );
    expect(slow?.captured).toEqual(move.captured);
    expect(slow?.after).toBe(toBoardText(played.value.position));
    positions.push(played.value.position);
  }
  return positions;
}

const games = MASTER_GAMES.map((game) => {
  const { tags } = read(game.text);
  return [`${tags.get("White")} - ${tags.get("Black")}: ${game.about}`, game] as const;
});

it("has eleven games: three made by the engine, one from another start position", () => {
  expect(games).toHaveLength(11);
  expect(games.filter(([, { about }]) => about.startsWith("Made by seed"))).toHaveLength(3);
  expect(games.filter(([, { text }]) => text.includes("[FEN"))).toHaveLength(1);
});

describe("a game is read, replayed by both rules and written again", () => {
  it.each(games)("%s", (_name, { text, plies, end }) => {
    const record = read(text);
    expect(record.moves).toHaveLength(plies);
    expect(checkers.formatPosition(positionsOf(record).at(-1)!)).toBe(end);
    expect(pdn.formatGame(record)).toBe(text);
    expect(read(pdn.formatGame(record))).toEqual(record);
  });
});

describe("a game that the engine made", () => {
  it.each(games.filter(([, { about }]) => about.startsWith("Made by seed")))("%s", (_name, { text, about }) => {
    const record = read(text);
    const outcome = checkers.outcome(positionsOf(record).at(-1)!);
    expect(about.endsWith(` ${outcome?.reason}.`)).toBe(true);
    expect(record.result).toBe(outcome?.type === "draw" ? "1/2-1/2" : outcome?.winner === 1 ? "1-0" : "0-1");
  });
});

function numberOf(square: number): number {
  return (square >> 3) * 4 + ((square & 7) >> 1) + 1;
}

type MoveFormat = (path: readonly number[], isCapture: boolean) => string;

/** How other programs write moves; each names all landings of a capture. */
const MOVE_FORMATS: readonly (readonly [string, MoveFormat])[] = [
  ["with every landing", (path, isCapture) => path.map(formatSquare).join(isCapture ? ":" : "-")],
  ["with x", (path, isCapture) => path.map(formatSquare).join(isCapture ? "x" : "-")],
  ["with nothing between", (path) => path.map(formatSquare).join("")],
  ["in numbers", (path, isCapture) => path.map(numberOf).join(isCapture ? "x" : "-")],
  [
    "in numbers of two digits",
    (path, isCapture) => path.map((square) => String(numberOf(square)).padStart(2, "0")).join(isCapture ? ":" : "-"),
  ],
];

describe("reads the same games in the forms of other programs", () => {
  it.each(MOVE_FORMATS)("%s", (_name, formatMove) => {
    for (const { text } of MASTER_GAMES) {
      const record = read(text);
      const words = record.moves.map(({ path, captured }) => formatMove(path, captured.length > 0));
      const fen = record.tags.get("FEN");
      const tags = fen === undefined ? "" : `[FEN "${fen}"]\r\n`;
      expect(read(tags + words.join(" ")).moves).toEqual(record.moves);
      const dressed = words.map((word, ply) => `${(ply >> 1) + 1}.${word}! {so} (${word} (any {)} line))`);
      expect(read(tags + dressed.join("\r\n")).moves).toEqual(record.moves);
    }
  });
});
