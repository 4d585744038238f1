import { checkers } from "@holo/checkers/checkers.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { expect, it } from "vitest";
import { foldRecords } from "./table-fold.ts";

const GAME = "11111111-1111-4111-8111-111111111111" as GameId;
const LEFT = [300_000, 300_000] as const;

function log(...events: readonly TableEvent[]): readonly LogRecord[] {
  return events.map((event, index) => ({ version: index + 1, at: toInstant(index), by: 0, events: [event] }));
}

function moved(...path: readonly number[]): TableEvent {
  return { type: "moved", path, chargedMs: 0, remainingMs: LEFT };
}

it("continues from the position before a takeback", () => {
  const stake = { game: "checkers", stake: 1, limitMs: 300_000, feeBps: 740 } as const;
  const entries = log(
    { type: "created", ...stake, player: "player-ada" as PlayerId },
    { type: "joined", player: "player-bola" as PlayerId, pairing: "address" },
    moved(42, 35),
    moved(17, 24),
    moved(46, 37),
    { type: "taken_back", seat: 2, plies: 2, remainingMs: LEFT },
    moved(21, 30),
  );
  const fold = foldRecords(checkers, GAME, null, entries);
  expect(fold?.moveTexts).toEqual(["c3-d4", "f6-g5"]);
  expect(fold?.positions.length).toBe(3);
  expect(checkers.formatPosition(fold?.positions[2] as never)).toBe(
    checkers.formatPosition(fold?.table.position as never),
  );
  expect(fold?.records).toEqual(entries);
});
