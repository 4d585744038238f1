import { checkers } from "@holo/checkers/checkers.ts";
import { pdn } from "@holo/checkers/pdn.ts";
import { readPdn } from "@holo/checkers/testing/read-pdn.ts";
import { chess } from "@holo/chess/chess.ts";
import { pgn } from "@holo/chess/pgn.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { Chess } from "chess.js";
import { describe, expect, test } from "vitest";
import { NO_DELIVERY } from "./clock.ts";
import { type HistoryTable, toGameHistory } from "./game-history.ts";
import { ADA, active, after, BOLA, carryOut, newId, OPENING, play, START, waiting } from "./testing/table-fixture.ts";

const NAMES = { site: "https://arena.example/game/1", players: ["ada", "bola"] } as const;

function tagOf(table: HistoryTable, name: string): string | undefined {
  return toGameHistory(table, NAMES).tags.get(name);
}

const resign = (player: PlayerId) => ({ type: "resign", id: newId(), player }) as const;
const opened = () => play(checkers, active(checkers), ...OPENING);

test("exports a finished checkers game as PDN with the mover's clock", () => {
  const table = carryOut(checkers, opened(), resign(BOLA), after(10_000));
  expect(pdn.formatGame(toGameHistory(table, NAMES))).toBe(`[Event "Holo Arena"]
[Site "https://arena.example/game/1"]
[Date "1970.01.01"]
[Round "-"]
[White "ada"]
[Black "bola"]
[Result "1-0"]
[GameType "25,W,8,8,A0,0"]
[Termination "normal"]
[TimeControl "300"]

1. c3-d4 {[%clk 0:05:00]} 1... d6-c5 {[%clk 0:05:00]} 2. b2-c3 {[%clk 0:04:59]}
2... f6-g5 {[%clk 0:04:59]} 1-0
`);
});

test("exports a finished chess game as PGN that chess.js reads", () => {
  const table = play(chess, active(chess), "f2-f3", "e7-e5", "g2-g4", "d8-h4");
  const text = pgn.formatGame(toGameHistory(table, NAMES));
  expect(text).toContain("2. g4 {[%clk 0:04:59]}");
  const oracle = new Chess();
  oracle.loadPgn(text);
  expect(oracle.isCheckmate()).toBe(true);
  expect(oracle.getHeaders()).toMatchObject({ Result: "0-1", Termination: "normal", TimeControl: "300" });
});

test("reads back the exported game", () => {
  const record = toGameHistory(play(checkers, opened(), "c3-b4"), NAMES);
  const read = readPdn(pdn.formatGame(record));
  expect(read).toMatchObject({ ok: true, value: { moves: record.moves, remainingMs: record.remainingMs } });
});

test("dates the game by its first turn, in UTC", () => {
  const at = (text: string): Instant => Date.parse(text) as Instant;
  const table = { ...opened(), createdAt: at("2028-02-28T23:50:00Z") };
  expect(tagOf({ ...table, startedAt: at("2028-02-29T00:10:00Z") }, "Date")).toBe("2028.02.29");
  expect(tagOf({ ...table, startedAt: null }, "Date")).toBe("2028.02.28");
});

test("leaves black unknown before a player joins", () => {
  const record = toGameHistory(waiting(checkers), { ...NAMES, players: ["ada", null] });
  expect(record.tags.get("Black")).toBe("?");
  expect(record.moves).toEqual([]);
});

describe("the Termination tag", () => {
  const expire = { type: "expire", delivery: NO_DELIVERY } as const;

  test("says unterminated for an open game", () => {
    for (const table of [waiting(checkers), opened()]) {
      expect(toGameHistory(table, NAMES).result).toBe("*");
      expect(tagOf(table, "Termination")).toBe("unterminated");
    }
  });
  test("says abandoned for a cancelled game, without a result", () => {
    const table = carryOut(checkers, active(checkers), { type: "cancel", id: newId(), player: ADA }, START);
    expect(toGameHistory(table, NAMES).result).toBe("*");
    expect(tagOf(table, "Termination")).toBe("abandoned");
  });
  test("says normal for a resignation", () => {
    const table = carryOut(checkers, opened(), resign(ADA), after(10_000));
    expect(toGameHistory(table, NAMES).result).toBe("0-1");
    expect(tagOf(table, "Termination")).toBe("normal");
  });
  test("says normal for an agreed draw", () => {
    const offered = carryOut(checkers, opened(), { type: "offer_draw", id: newId(), player: ADA }, after(10_000));
    const { version, boardVersion } = offered;
    const answer = { type: "answer_draw", id: newId(), player: BOLA, offer: version, answer: "accept" } as const;
    const table = carryOut(checkers, offered, { ...answer, atVersion: boardVersion }, after(11_000));
    expect(toGameHistory(table, NAMES).result).toBe("1/2-1/2");
    expect(tagOf(table, "Termination")).toBe("normal");
  });
  test("says adjudication for a game that reached its longest log", () => {
    const drawn = { ...opened(), status: "completed", result: { winner: null, reason: "too_long" } } as const;
    expect(toGameHistory(drawn, NAMES).result).toBe("1/2-1/2");
    expect(tagOf(drawn, "Termination")).toBe("adjudication");
  });
  test("says time forfeit for a flag, also for a draw by flag", () => {
    const started = opened();
    const table = carryOut(checkers, started, expire, (started.changedAt + 400_000) as Instant);
    expect(toGameHistory(table, NAMES).result).toBe("0-1");
    expect(tagOf(table, "Termination")).toBe("time forfeit");
    const drawn = { ...table, status: "completed", result: { winner: null, reason: "time_without_material" } } as const;
    expect(toGameHistory(drawn, NAMES).result).toBe("1/2-1/2");
    expect(tagOf(drawn, "Termination")).toBe("time forfeit");
  });
});

test("leaves out a move that was taken back, with its clock", () => {
  const asked = carryOut(checkers, opened(), { type: "request_takeback", id: newId(), player: BOLA }, after(10_000));
  const { version, boardVersion } = asked;
  const answer = { type: "answer_takeback", id: newId(), player: ADA, offer: version, answer: "accept" } as const;
  const table = carryOut(checkers, asked, { ...answer, atVersion: boardVersion }, after(11_000));
  const record = toGameHistory(table, NAMES);
  expect(record.moves).toHaveLength(3);
  expect(record.remainingMs).toEqual([300_000, 300_000, 299_000]);
});
