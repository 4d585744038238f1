import { toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { spyOnSleep } from "../../platform/testing/spy-on-sleep.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { openTestConnection } from "../testing/test-connection.ts";
import type { Connection } from "./connection.ts";
import { handOverAll } from "./handover.ts";

const CONNECTIONS = 200;
const TICK_MS = 100;

let opened: readonly (ReturnType<typeof openTestConnection> & { readonly game: number })[];
let connections: Set<Connection>;
/** The step in which each connection was closed. */
let closed: Map<Connection, number>;
let handed: Map<string, number>;
let time: TestTime;
let isStaying: boolean;
let step: number;

beforeEach(() => {
  vi.useFakeTimers();
  closed = new Map();
  handed = new Map();
  time = makeTestTime();
  isStaying = true;
  step = 0;
  // Two connections of each player, and two players at each table, far apart.
  opened = Array.from({ length: CONNECTIONS }, (_, index) => {
    const player = index % (CONNECTIONS / 2);
    const game = player % (CONNECTIONS / 4);
    const view = { id: toPlayerId(`player-${player}`), username: `player-${player}` };
    const one = openTestConnection({ player: view });
    one.connection.watched.add(toGameId(`00000000-0000-4000-8000-${String(game).padStart(12, "0")}`));
    return { ...one, game };
  });
  connections = new Set(opened.map(({ connection }) => connection));
});

afterEach(() => {
  vi.useRealTimers();
});

function handOver(): Promise<void> {
  return handOverAll({
    broadcast: { all: () => connections },
    games: { handOver: async (ids) => ids.forEach((id) => void handed.set(id, step)) },
    time,
    canHandOver: () => isStaying,
  });
}

async function tick(): Promise<void> {
  step += 1;
  time.advance(TICK_MS);
  await vi.advanceTimersByTimeAsync(TICK_MS);
  for (const { socket, connection } of opened) {
    if (connection.isOpen || closed.has(connection)) continue;
    expect(socket.closeCodes).toEqual([CLOSE.restarting]);
    expect(socket.sent.map((text) => JSON.parse(text).type)).toEqual(["restarting"]);
    expect(handed.get(connection.player!.id)).toBe(step);
    closed.set(connection, step);
    connections.delete(connection);
  }
}

test("players are handed over some at a time, those of a table together, while the others are served", async () => {
  const done = handOver();
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.every(({ connection }) => connection.isOpen)).toBe(true);
  for (const left of [188, 176]) {
    await tick();
    expect(connections.size).toBe(left);
  }
  while (connections.size > 0) await tick();
  await done;
  expect(step).toBeLessThanOrEqual(20);
  const games = Map.groupBy(opened, ({ game }) => game);
  for (const seats of games.values())
    expect(new Set(seats.map(({ connection }) => closed.get(connection))).size).toBe(1);
});

test("no one is handed over once no other server stays", async () => {
  const done = handOver();
  await tick();
  isStaying = false;
  await tick();
  await done;
  expect([connections.size, handed.size]).toEqual([188, 6]);
});

test("a slow process hands everyone over in time: its slices do not delay the later ones", async () => {
  spyOnSleep(async (ms = 0) => void time.advance(ms));
  await handOverAll({
    broadcast: { all: () => connections },
    // 17 slices of 0.3 s, which is more than their distance.
    games: { handOver: async () => time.advance(3 * TICK_MS) },
    time,
    canHandOver: () => true,
  });
  expect(opened.filter(({ connection }) => connection.isOpen)).toEqual([]);
});

test("a process that is too busy for its slices ends without the rest", async () => {
  const done = handOver();
  await tick();
  time.advance(6_000);
  await tick();
  await done;
  expect([connections.size, handed.size]).toEqual([188, 6]);
});
