import { CLOSE } from "@holo/protocol/frames.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "./connection.ts";
import { handOverAll } from "./handover.ts";

const CONNECTIONS = 200;

let connections: Set<Connection>;
let closed: Map<string, number>;
let handed: Map<string, number>;
let isStaying: boolean;
let step: number;

beforeEach(() => {
  vi.useFakeTimers();
  closed = new Map();
  handed = new Map();
  isStaying = true;
  step = 0;
  connections = new Set();
  // Two connections of each player, and two players at each table, far apart.
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const player = index % (CONNECTIONS / 2);
    const connection = {
      player: { id: `player ${player}` },
      watched: new Set([`game ${player % (CONNECTIONS / 4)}`]),
      send: (text: string) => expect(JSON.parse(text)).toMatchObject({ type: "restarting" }),
      close(code: number) {
        expect([code, handed.get(`player ${player}`)]).toEqual([CLOSE.restarting, step]);
        closed.set(`${index}`, step);
        connections.delete(connection);
      },
    } as unknown as Connection;
    connections.add(connection);
  }
});

afterEach(() => {
  vi.useRealTimers();
});

function handOver(): Promise<void> {
  return handOverAll({
    broadcast: { all: () => connections },
    arena: { handOver: (ids) => ids.forEach((id) => void handed.set(id, step)) },
    time: { monotonicMs: () => performance.now() } as never,
    isStaying: () => isStaying,
  });
}

async function tick(): Promise<void> {
  step += 1;
  await vi.advanceTimersByTimeAsync(100);
}

test("players are handed over some at a time, those of a table together, while the others are served", async () => {
  const done = handOver();
  expect(closed.size).toBe(0);
  for (const left of [188, 176]) {
    await tick();
    expect(connections.size).toBe(left);
  }
  while (connections.size > 0) await tick();
  await done;
  expect(step).toBeLessThanOrEqual(20);
  const stepsOf = (game: number): Set<number | undefined> =>
    new Set([game, game + 50, game + 100, game + 150].map((index) => closed.get(`${index}`)));
  expect(Array.from({ length: 50 }, (_, game) => stepsOf(game).size)).toEqual(Array(50).fill(1));
});

test("no one is handed over once no other server stays", async () => {
  const done = handOver();
  await tick();
  isStaying = false;
  await tick();
  await done;
  expect([connections.size, handed.size]).toEqual([188, 6]);
});
