import { afterEach, expect, test } from "vitest";
import type { Links } from "../../platform/servers/links.ts";
import { makeBareServer, makeTestLinks, TestNetwork } from "../../platform/testing/test-links.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { type OwnFigures, openServerFigures } from "./server-figures.ts";

const log = openTestLog();
const time = makeTestTime();
const wheel = openTimerWheel({ time, log });
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function open(figures: OwnFigures, links: Links | null = null) {
  const opened = openServerFigures({ links, time, wheel, log, measure: async () => figures });
  ends.push(opened.stop);
  return opened;
}

async function pass(ms: number): Promise<void> {
  time.advance(ms);
  wheel.tick();
  // The figures are measured and sent in the next turns.
  await new Promise((resolve) => setImmediate(resolve));
}

const ONE = { connections: 20, memoryBytes: 1_000, movesPerSecond: 1.5, moveP99Ms: 4 };
const OTHER = { connections: 300, memoryBytes: null, movesPerSecond: 2, moveP99Ms: 9.5 };

// [ADMIN-14 §6] 'Right now' has the moves, connections and memory of all servers, and says how many these are.
test("shows the figures of all servers on each, without those that have ended [ADMIN-14]", async () => {
  const network = new TestNetwork();
  const join = (id: string, other: string): Links => {
    const links = makeTestLinks({ network, own: makeBareServer(id, [other]), time, wheel });
    ends.push(links.close);
    return links;
  };
  const here = open(ONE, join("first", "second"));
  const there = open(OTHER, join("second", "first"));
  await pass(0);
  await pass(5_000);
  const both = { servers: 2, connections: 320, memoryBytes: 1_000, movesPerSecond: 3.5, moveP99Ms: 9.5 };
  expect([await here.load(), await there.load()]).toEqual([both, both]);
  there.stop();
  for (let passedMs = 0; passedMs < 20_000; passedMs += 5_000) await pass(5_000);
  expect(await here.load()).toEqual({ ...ONE, servers: 1 });
});

test("shows those of a single server as they are, also before its first move", async () => {
  const quiet = { ...ONE, movesPerSecond: 0, moveP99Ms: null };
  expect(await open(quiet).load()).toEqual({ ...quiet, servers: 1 });
});
