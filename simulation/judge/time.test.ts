import { expect, test } from "vitest";
import type { Evidence } from "./evidence.ts";
import { findHastyFlags, findUnfoundedBonuses } from "./time.ts";

const CREDIT = { type: "clock_credited", bonusMs: 10_000, outageFromAt: 3_000, outageToAt: 8_000 };

/** A game with a credit while a server had ended. */
function makeEvidence(cause: "gone" | "stalled"): Evidence {
  const games = new Map([["game", { log: [{ version: 9, at: 8_000, events: [CREDIT] }] }]]);
  const ends = [{ lastBeatAt: 3_000, endedAt: 6_000, cause }];
  return { games, ends, outages: [], frozen: [], cuts: [], jumps: [], isShared: true } as unknown as Evidence;
}

test("names a bonus for a server that only stood still, which clients may have caused", () => {
  expect(findUnfoundedBonuses(makeEvidence("gone"))).toEqual([]);
  expect(findUnfoundedBonuses(makeEvidence("stalled"))).toEqual(["game: version 9 has a bonus for no outage"]);
});

test("names a flag over a move that had arrived, not over one whose connection broke", () => {
  const log = [
    { version: 1, at: 1_000, events: [{ type: "moved" }] },
    { version: 2, at: 20_000, events: [{ type: "ended", reason: "time" }] },
  ];
  const frame = { type: "move", gameId: "game", atVersion: 1, commandId: "id" };
  const toEvidence = (silentFromMs: number | null) =>
    ({
      games: new Map([["game", { log }]]),
      clients: [{ connections: [{ sent: [{ atMs: 15_000, frame }], received: [], silentFromMs }] }],
      jumps: [],
    }) as unknown as Evidence;
  expect(findHastyFlags(toEvidence(15_500))).toEqual([]);
  expect(findHastyFlags(toEvidence(null))).toEqual(["game: version 2 is a flag over a move that had arrived"]);
});
