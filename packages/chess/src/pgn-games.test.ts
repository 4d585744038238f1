import { assert } from "@holo/kernel/assert.ts";
import type { GameHistory } from "@holo/rules/pgn-pdn.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { describe, expect, test } from "vitest";
import { type ChessPosition, chess } from "./chess.ts";
import { pgn } from "./pgn.ts";
import { MASTER_GAMES } from "./testing/master-games.ts";
import { readPgn } from "./testing/read-pgn.ts";

function parsed(text: string): GameHistory {
  const record = readPgn(text);
  assert(record.ok, `not read: ${text}`);
  return record.value;
}

function positionsOf(record: GameHistory): ChessPosition[] {
  const positions = [chess.start()];
  for (const move of record.moves) {
    const played = chess.play(positions.at(-1)!, move.path, move.promotion);
    assert(played.ok, "the moves of a record are legal");
    expect(played.value.move).toEqual(move);
    positions.push(played.value.position);
  }
  return positions;
}

const games = MASTER_GAMES.map((game) => [`${parsed(game.text).tags.get("White")}: ${game.about}`, game] as const);

test("has fourteen master games", () => {
  expect(new Set(MASTER_GAMES.map(({ end }) => end)).size).toBe(14);
});

describe("reads, replays and writes a master game:", () => {
  test.each(games)("%s", (_name, { text, plies, end }) => {
    const record = parsed(text);
    expect(record.moves).toHaveLength(plies);
    expect(chess.formatPosition(positionsOf(record).at(-1)!)).toBe(end);
    expect(pgn.formatGame(record)).toBe(text);
    expect(parsed(pgn.formatGame(record))).toEqual(record);
  });
});

describe("writes PGN that chess.js reads as the same game, clocks included:", () => {
  test.each(games)("%s", (_name, { text, end }) => {
    const record = parsed(text);
    const timed = { ...record, remainingMs: record.moves.map((_, ply) => 300_000 - ply * 1_730) };
    const oracle = new Chess();
    oracle.loadPgn(pgn.formatGame(timed));
    expect(oracle.fen()).toBe(end);
    expect(oracle.getHeaders()).toMatchObject(Object.fromEntries(record.tags));
    const positions = positionsOf(record);
    expect(oracle.history()).toEqual(record.moves.map((move, ply) => chess.formatMove(positions[ply]!, move)));
    // chess.js keys comments by position, so a repeated position has its last comment.
    expect(oracle.getComments().at(-1)?.comment).toBe(formatTenths(300_000 - (record.moves.length - 1) * 1_730));
    expect(oracle.getComments()[1]?.comment).toBe("[%clk 0:04:58.2]");
  });
});

function formatTenths(ms: number): string {
  const pad = (value: number): string => `${value}`.padStart(2, "0");
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const fraction = tenths % 10 === 0 ? "" : `.${tenths % 10}`;
  return `[%clk 0:${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}${fraction}]`;
}

type MoveFormat = (from: string, to: string, san: string, letter: string) => string;

const MOVE_FORMATS: readonly (readonly [string, MoveFormat])[] = [
  ["by bare squares", (from, to, san) => `${from}${to}${/=(.)/.exec(san)?.[1]?.toLowerCase() ?? ""}`],
  [
    "in long notation",
    (from, to, san, letter) => {
      if (san.startsWith("O")) return san;
      const promotion = /=(.)/.exec(san)?.[1];
      return `${letter}${from}${san.includes("x") ? "x" : "-"}${to}${promotion === undefined ? "" : `/${promotion}`}`;
    },
  ],
  ["with zeros for castling, and without marks", (_from, _to, san) => san.replaceAll("O", "0").replace(/[+#=]/g, "")],
  ["with marks, glyphs and comments", (_from, _to, san) => `${san}!? $14 {a move; (so it is) [%eval 0.3]}`],
  ["with side lines", (_from, _to, san) => `${san} (any (nested {)} line) Kxa1) ; and the rest of it (\n`],
];

describe("reads the notation of other programs", () => {
  test.each(MOVE_FORMATS)("%s", (_name, formatMove) => {
    for (const { text } of MASTER_GAMES) {
      const record = parsed(text);
      const positions = positionsOf(record);
      const words = record.moves.map((move, ply) => {
        const position = positions[ply]!;
        const kind = chess.pieceAt(position, move.path[0]!)!.kind;
        const letter = kind === "pawn" ? "" : kind === "knight" ? "N" : kind[0]!.toUpperCase();
        const [from, to] = move.path.map(formatSquare);
        return formatMove(from!, to!, chess.formatMove(position, move), letter);
      });
      expect(parsed(words.join(" ")).moves).toEqual(record.moves);
      expect(parsed(words.map((word, ply) => `${(ply >> 1) + 1}...${word}`).join("\r\n")).moves).toEqual(record.moves);
    }
  });
});
