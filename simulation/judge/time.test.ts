import { expect, test } from "vitest";
import type { Evidence } from "./evidence.ts";
import { findForgottenPlayers } from "./time.ts";

const [KILLED_MS, STORED_MS, STARTED_MS] = [5_000, 8_000, 20_000];

/** A player's server is killed during a game, and the outage is stored without the player. */
function makeEvidence(endedAt: number): Evidence {
  const events = [
    { at: 1_000, type: "created", player: "one" },
    { at: 2_000, type: "joined", player: "two" },
    { at: endedAt, type: "ended", player: undefined },
  ];
  const log = events.map(({ at, ...event }, index) => ({ version: index + 1, at, events: [event] }));
  const received = [{ atMs: 3_000, frame: { type: "table", gameId: "game" } }];
  const connection = { server: 0, silentFromMs: KILLED_MS, received, sent: [] };
  return {
    games: new Map([["game", { log }]]),
    clients: [{ account: { id: "two", username: "robot" }, connections: [connection] }],
    downtimes: [{ fromMs: KILLED_MS, toMs: STARTED_MS, servers: [0], isKilled: true }],
    outages: [{ fromAt: KILLED_MS - 500, toAt: STORED_MS, cause: "restart", served: [] }],
  } as unknown as Evidence;
}

test("names a player who is missing from an outage that was stored during the game", () => {
  const found = "game: nothing is stored about the outage of robot's server";
  expect(findForgottenPlayers(makeEvidence(STARTED_MS + 1))).toEqual([found]);
  expect(findForgottenPlayers(makeEvidence(STORED_MS + 1))).toEqual([found]);
});

test("expects nothing of a game that was over before the outage was stored", () => {
  expect(findForgottenPlayers(makeEvidence(STORED_MS - 1))).toEqual([]);
});
