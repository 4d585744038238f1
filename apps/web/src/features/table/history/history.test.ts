import { checkers } from "@holo/checkers/checkers.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { TableEvent } from "@holo/table/log-record.ts";
import { describe, expect, it } from "vitest";
import { stepPly } from "../../../shared/board/steps.ts";
import { foldRecords } from "../store/table-fold.ts";
import { countCaptured, type TableViewModel, toRemainingMs, toTableViewModel } from "../view-model.ts";
import { formatPly, rewind, toTimesLeft } from "./history.ts";

const GAME = "11111111-1111-4111-8111-111111111111" as GameId;
const ADA = "player-ada" as PlayerId;
const BOLA = "player-bola" as PlayerId;

const START: readonly TableEvent[] = [
  { type: "created", game: "checkers", stake: 1, limitMs: 300_000, feeBps: 740, player: ADA },
  { type: "joined", player: BOLA, pairing: "address" },
];
/** c3-d4, f6-g5, d4-c5, b6:d4. */
const MOVES: readonly TableEvent[] = [
  { type: "moved", path: [42, 35], chargedMs: 0, remainingMs: [300_000, 300_000] },
  { type: "moved", path: [21, 30], chargedMs: 0, remainingMs: [300_000, 300_000] },
  { type: "moved", path: [35, 26], chargedMs: 9_000, remainingMs: [291_000, 300_000] },
  { type: "moved", path: [17, 35], chargedMs: 4_000, remainingMs: [291_000, 296_000] },
];
const END: TableEvent = { type: "ended", winner: 2, reason: "resignation", remainingMs: [270_000, 296_000] };

function seat(...events: readonly TableEvent[]): TableViewModel {
  const entries = [...START, ...events].map((event, index) => ({
    version: index + 1,
    at: toInstant(index),
    by: 0 as const,
    events: [event],
  }));
  const fold = foldRecords(checkers, GAME, null, entries);
  if (fold === null) throw new Error("there is no table");
  const players = [
    { id: ADA, username: "ada" },
    { id: BOLA, username: "bola" },
  ] as const;
  const rest = { players, awaySinceAt: [null, null], watchers: 0, pending: null, premove: null } as const;
  return toTableViewModel({ ...fold, ...rest, type: "ready", rules: checkers }, ADA);
}

describe("stepPly", () => {
  it("steps both ways and stops at the ends", () => {
    expect(stepPly(3, 4, "previous")).toBe(2);
    expect(stepPly(0, 4, "previous")).toBe(0);
    expect(stepPly(3, 4, "next")).toBe(4);
    expect(stepPly(4, 4, "next")).toBe(4);
    expect(stepPly(3, 4, "first")).toBe(0);
    expect(stepPly(0, 4, "last")).toBe(4);
  });

  it("counts the plies in its text", () => {
    expect(formatPly(12, 31)).toBe("Move 12 of 31");
    expect(formatPly(0, 31)).toBe("The start");
  });
});

describe("rewind", () => {
  const over = seat(...MOVES, END);

  it("restores the board and the last move", () => {
    const { position, lastMove } = rewind(over, 1);
    expect(position).toEqual(seat(MOVES[0]!).position);
    expect(lastMove?.path).toEqual([42, 35]);
    expect(rewind(over, 0).lastMove).toBeNull();
    expect(checkers.formatPosition(rewind(over, 0).position as never)).toBe(checkers.formatPosition(checkers.start()));
  });

  it("restores both clocks", () => {
    const clocks = (ply: number) => ([1, 2] as const).map((of) => toRemainingMs(rewind(over, ply), of, 0));
    expect(clocks(0)).toEqual([300_000, 300_000]);
    expect(clocks(3)).toEqual([291_000, 300_000]);
    expect(clocks(4)).toEqual([291_000, 296_000]);
    expect(([1, 2] as const).map((of) => toRemainingMs(over, of, 0))).toEqual([270_000, 296_000]);
  });

  it("counts only the captures so far", () => {
    expect(countCaptured(rewind(over, 3), 2)).toBe(0);
    expect(countCaptured(rewind(over, 4), 2)).toBe(1);
  });
});

it("lists the mover's remaining time after each move of a finished game", () => {
  expect(toTimesLeft(seat(...MOVES, END).shown.table)).toEqual([300_000, 300_000, 291_000, 296_000]);
  expect(toTimesLeft(seat(...MOVES).shown.table)).toEqual([]);
});
