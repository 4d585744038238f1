import { SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestLog } from "../testing/test-log.ts";
import { makeTestTime } from "../testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../time/timer-wheel.ts";
import { type HistogramReading, openMetrics } from "./metrics.ts";
import { openRecentHistogram, type RecentHistogram, toQuantile } from "./recent-histogram.ts";

const time = makeTestTime(toInstant(0));
const metrics = openMetrics({ process: false });
const seconds = metrics.histogram("holo_test_seconds", "of a test", [0.01, 0.1, 1]);
let wheel: TimerWheel;
let recent: RecentHistogram;

beforeEach(() => {
  wheel = openTimerWheel({ time, log: openTestLog() });
  recent = openRecentHistogram({ metrics, name: "holo_test_seconds", time, wheel });
});
afterEach(() => {
  recent.stop();
  wheel.stop();
});

/** Until a fired timer's reading has been stored. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SECOND_MS) {
    time.advance(Math.min(left, SECOND_MS));
    wheel.tick();
    await rest();
  }
}

test("gives the rate since the start, then over the last minute", async () => {
  await rest();
  expect(await recent.read()).toEqual({ perSecond: 0, p99Seconds: null });
  for (let count = 0; count < 30; count += 1) seconds.observe(0.005);
  await pass(10 * SECOND_MS);
  expect((await recent.read()).perSecond).toBeCloseTo(3, 5);
  await pass(50 * SECOND_MS);
  expect((await recent.read()).perSecond).toBeCloseTo(0.5, 2);
  await pass(30 * SECOND_MS);
  expect(await recent.read()).toEqual({ perSecond: 0, p99Seconds: null });
});

test("keeps one minute and drops older slow events", async () => {
  seconds.observe(0.9);
  await pass(70 * SECOND_MS);
  for (let count = 0; count < 1_000; count += 1) seconds.observe(0.005);
  const { p99Seconds } = await recent.read();
  expect(p99Seconds).toBeGreaterThan(0);
  expect(p99Seconds).toBeLessThanOrEqual(0.01);
});

test("returns nothing for an unknown metric", async () => {
  const none = openRecentHistogram({ metrics, name: "holo_nothing_seconds", time, wheel });
  await pass(10 * SECOND_MS);
  expect(await none.read()).toEqual({ perSecond: 0, p99Seconds: null });
  none.stop();
});

describe("a quantile", () => {
  const reading = (...counts: number[]): HistogramReading => ({
    count: counts.at(-1) ?? 0,
    upTo: [0.01, 0.1, 1, Number.POSITIVE_INFINITY].map((bound, index) => ({ bound, count: counts[index] ?? 0 })),
  });
  const none = reading(0, 0, 0, 0);

  test.each([
    ["nothing", 0.99, none, none, null],
    ["all in the first bucket", 0.5, none, reading(10, 10, 10, 10), 0.005],
    ["between two bounds", 0.99, none, reading(90, 100, 100, 100), 0.091],
    ["above the highest bound", 0.99, none, reading(0, 0, 0, 10), 1],
    ["only what came between the readings", 0.5, reading(100, 100, 100, 100), reading(100, 110, 110, 110), 0.055],
  ])("of %s", (_what, share, from, to, expected) => {
    const found = toQuantile(share, from, to);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 6);
  });
});
