import type { LogRecord } from "@holo/table/log-record.ts";
import { expect, test } from "vitest";
import { findClockFaults } from "./clock-model.ts";

const JUMP = { atMs: 10_000, byMs: 600_000 };
const NOTHING = { isShared: false, outages: [], disturbances: [], jumps: [JUMP] };

/** The third move was sent at `toMs` of the machine's clock, and nothing of its time is charged. */
function makeLog(toMs: number): readonly LogRecord[] {
  const remainingMs = [3_600_000, 3_600_000];
  const toRecord = (at: number, by: number, event: object) => ({ at, by, events: [event] });
  const move = { type: "moved", path: [], chargedMs: 0, remainingMs };
  return [
    toRecord(1_000, 1, { type: "created", limitMs: 3_600_000 }),
    toRecord(2_000, 2, { type: "joined" }),
    toRecord(3_000, 1, move),
    toRecord(JUMP.atMs + JUMP.byMs + 20_000, 2, move),
    toRecord(toMs + JUMP.byMs, 1, move),
  ].map((record, index) => ({ ...record, version: index + 1 })) as unknown as readonly LogRecord[];
}

const findFaults = (log: readonly LogRecord[], evidence: Parameters<typeof findClockFaults>[1]) =>
  findClockFaults(log, evidence, (version) => log[version - 1]?.at);

test("names a move whose time is not charged", () => {
  expect(findFaults(makeLog(38_000), NOTHING)).toEqual(["version 5 charges only 0 ms of 8000 ms"]);
});

test("allows for a disturbance after the clock of tables has jumped", () => {
  const disturbances = [{ fromMs: 31_000, toMs: 37_000 }];
  expect(findFaults(makeLog(38_000), { ...NOTHING, disturbances })).toEqual([]);
});
