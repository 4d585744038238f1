import { checkers } from "@holo/checkers/checkers.ts";
import { pdn } from "@holo/checkers/pdn.ts";
import { chess } from "@holo/chess/chess.ts";
import { pgn } from "@holo/chess/pgn.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { Chess } from "chess.js";
import { describe, expect, test } from "vitest";
import { NO_DELIVERY } from "./clock.ts";
import { type RecordedTable, toRecord } from "./record.ts";
import { ADA, active, after, BOLA, carryOut, newId, OPENING, play, START, waiting } from "./testing/table-fixture.ts";

const NAMES = { site: "https://arena.example/game/1", players: ["ada", "bola"] } as const;

function tagOf(table: RecordedTable, name: string): string | undefined {
  return toRecord(table, NAMES).tags.get(name);
}

const resign = (player: PlayerId) => ({ type: "resign", id: newId(), player }) as const;
const opened = () => play(checkers, active(checkers), ...OPENING);

test("A finished game of checkers is told in PDN, move by move with the mover's clock.", () => {
  const table = carryOut(checkers, opened(), resign(BOLA), after(10_000));
  expect(pdn.formatRecord(toRecord(table, NAMES))).toBe(`[Event "Holo Arena"]
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

test("A finished game of chess is told in PGN, as chess.js reads it.", () => {
  const table = play(chess, active(chess), "f2-f3", "e7-e5", "g2-g4", "d8-h4");
  const text = pgn.formatRecord(toRecord(table, NAMES));
  expect(text).toContain("2. g4 {[%clk 0:04:59]}");
  const oracle = new Chess();
  oracle.loadPgn(text);
  expect(oracle.isCheckmate()).toBe(true);
  expect(oracle.getHeaders()).toMatchObject({ Result: "0-1", Termination: "normal", TimeControl: "300" });
});

test("What is written is read as it was.", () => {
  const record = toRecord(play(checkers, opened(), "c3-b4"), NAMES);
  const read = pdn.parseRecord(pdn.formatRecord(record));
  expect(read).toMatchObject({ ok: true, value: { moves: record.moves, remainingMs: record.remainingMs } });
});

test("The date is the day, in UTC, on which the game began.", () => {
  const at = (text: string): Instant => Date.parse(text) as Instant;
  const table = { ...opened(), createdAt: at("2028-02-28T23:50:00Z") };
  expect(tagOf({ ...table, startedAt: at("2028-02-29T00:10:00Z") }, "Date")).toBe("2028.02.29");
  expect(tagOf({ ...table, startedAt: null }, "Date")).toBe("2028.02.28");
});

test("Nobody has joined: black is not known.", () => {
  const record = toRecord(waiting(checkers), { ...NAMES, players: ["ada", null] });
  expect(record.tags.get("Black")).toBe("?");
  expect(record.moves).toEqual([]);
});

describe("its end is told in the words of the standard:", () => {
  const expire = { type: "expire", delivery: NO_DELIVERY } as const;

  test("a game that waits or goes on has none", () => {
    for (const table of [waiting(checkers), opened()]) {
      expect(toRecord(table, NAMES).result).toBe("*");
      expect(tagOf(table, "Termination")).toBe("unterminated");
    }
  });
  test("a cancelled game was abandoned, without a result", () => {
    const table = carryOut(checkers, active(checkers), { type: "cancel", id: newId(), player: ADA }, START);
    expect(toRecord(table, NAMES).result).toBe("*");
    expect(tagOf(table, "Termination")).toBe("abandoned");
  });
  test("a resignation is normal", () => {
    const table = carryOut(checkers, opened(), resign(ADA), after(10_000));
    expect(toRecord(table, NAMES).result).toBe("0-1");
    expect(tagOf(table, "Termination")).toBe("normal");
  });
  test("an agreed draw is normal", () => {
    const offered = carryOut(checkers, opened(), { type: "offer_draw", id: newId(), player: ADA }, after(10_000));
    const { version, boardVersion } = offered;
    const answer = { type: "answer_draw", id: newId(), player: BOLA, offer: version, answer: "accept" } as const;
    const table = carryOut(checkers, offered, { ...answer, atVersion: boardVersion }, after(11_000));
    expect(toRecord(table, NAMES).result).toBe("1/2-1/2");
    expect(tagOf(table, "Termination")).toBe("normal");
  });
  test("time that ran out is a forfeit, also where it only drew", () => {
    const started = opened();
    const table = carryOut(checkers, started, expire, (started.changedAt + 400_000) as Instant);
    expect(toRecord(table, NAMES).result).toBe("0-1");
    expect(tagOf(table, "Termination")).toBe("time forfeit");
    const drawn = { ...table, status: "completed", result: { winner: null, reason: "time_without_material" } } as const;
    expect(toRecord(drawn, NAMES).result).toBe("1/2-1/2");
    expect(tagOf(drawn, "Termination")).toBe("time forfeit");
  });
});

test("A move that was taken back is not in it, and its clock neither.", () => {
  const asked = carryOut(checkers, opened(), { type: "request_takeback", id: newId(), player: BOLA }, after(10_000));
  const { version, boardVersion } = asked;
  const answer = { type: "answer_takeback", id: newId(), player: ADA, offer: version, answer: "accept" } as const;
  const table = carryOut(checkers, asked, { ...answer, atVersion: boardVersion }, after(11_000));
  const record = toRecord(table, NAMES);
  expect(record.moves).toHaveLength(3);
  expect(record.remainingMs).toEqual([300_000, 300_000, 299_000]);
});
