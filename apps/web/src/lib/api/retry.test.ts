import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { retryUntilDone } from "./retry.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it("tries again after growing delays until it is done", async () => {
  const tries: number[] = [];
  retryUntilDone(async () => tries.push(Date.now()) === 5);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  const delays = tries.slice(1).map((at, index) => at - tries[index]!);
  expect(delays).toHaveLength(4);
  expect(delays).toEqual([...new Set(delays)].sort((one, other) => one - other));
});

it("goes on at a bounded rate for as long as it fails", async () => {
  let tries = 0;
  retryUntilDone(async () => ++tries > 1_000);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(tries).toBeGreaterThan(60);
  expect(tries).toBeLessThan(200);
});

it("ends when it is stopped, also during a try", async () => {
  let tries = 0;
  const stop = retryUntilDone(async () => ++tries > 1_000);
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  const before = tries;
  const stopDuring = retryUntilDone(async () => ++tries > 1_000);
  stopDuring();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(before + 1);
});
