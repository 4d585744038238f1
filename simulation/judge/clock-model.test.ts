import type { LogRecord } from "@holo/table/log-record.ts";
import { expect, test } from "vitest";
import { findClockFaults } from "./clock-model.ts";

const JUMP = { atMs: 10_000, byMs: 600_000 };
const NOTHING = { isShared: false, outages: [], disturbances: [], jumps: [JUMP] };

const LIMIT_MS = 3_600_000;
const MOVE = { type: "moved", path: [], chargedMs: 0, remainingMs: [LIMIT_MS, LIMIT_MS] };

function toLog(...records: readonly (readonly [at: number, by: number, event: object])[]): readonly LogRecord[] {
  const start = [
    [1_000, 1, { type: "created", limitMs: LIMIT_MS }],
    [2_000, 2, { type: "joined" }],
    [3_000, 1, MOVE],
  ] as const;
  return [...start, ...records].map(([at, by, event], index) => ({
    ...{ version: index + 1, at, by },
    events: [event],
  })) as unknown as readonly LogRecord[];
}

/** The third move was sent at `toMs` of the machine's clock, and nothing of its time is charged. */
const makeLog = (toMs: number) => toLog([JUMP.atMs + JUMP.byMs + 20_000, 2, MOVE], [toMs + JUMP.byMs, 1, MOVE]);

/** The clock that runs from 4 s on expires at `at` of the clock of tables. */
const makeFlag = (at: number) => toLog([4_000, 2, MOVE], [at, 0, { type: "ended", reason: "time", winner: 2 }]);

const findFaults = (log: readonly LogRecord[], evidence: Parameters<typeof findClockFaults>[1]) =>
  findClockFaults(log, evidence, (version) => log[version - 1]?.at);

test("names a move whose time is not charged", () => {
  expect(findFaults(makeLog(38_000), NOTHING)).toEqual(["version 5 charges only 0 ms of 8000 ms"]);
});

test("allows for a disturbance after the clock of tables has jumped", () => {
  const disturbances = [{ fromMs: 31_000, toMs: 37_000 }];
  expect(findFaults(makeLog(38_000), { ...NOTHING, disturbances })).toEqual([]);
});

const OUTAGE = { fromAt: 5_000, toAt: 11_000, cause: "restart" } as const;

test("names a flag that takes no account of an outage", () => {
  expect(findFaults(makeFlag(4_000 + LIMIT_MS + 5_000), { ...NOTHING, jumps: [], outages: [OUTAGE] })).toEqual([
    "version 5 ends on time 1000 ms too early",
  ]);
});

test("takes from a turn only what an outage lasted, though the clock of tables jumped meanwhile", () => {
  const jump = { ...JUMP, byMs: LIMIT_MS - 2_000 };
  const findBy = (ms: number) => findFaults(makeFlag(jump.byMs + ms), { ...NOTHING, jumps: [jump], outages: [OUTAGE] });
  expect(findBy(12_000)).toEqual([]);
  expect(findBy(11_500)).toEqual(["version 5 ends on time 500 ms too early"]);
});
