import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubDevice } from "../testing/stub-device.ts";
import { retryUntilDone } from "./retry.ts";

let device: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  device = stubDevice();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
  expect(tries).toBeLessThan(300);
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

it("tries at once when the device is online again, then after short delays", async () => {
  const tries: number[] = [];
  retryUntilDone(async () => tries.push(Date.now()) > 1_000);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  const before = tries.length;
  device.dispatchEvent(new Event("online"));
  expect(tries).toHaveLength(before + 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries[before + 1]! - tries[before]!).toBe(tries[1]! - tries[0]!);
});

it("keeps one try at a time when the device goes online during it", async () => {
  let fail = (): void => undefined;
  let tries = 0;
  retryUntilDone(() => {
    tries += 1;
    return new Promise((resolve) => (fail = () => resolve(false)));
  });
  device.dispatchEvent(new Event("online"));
  expect(tries).toBe(1);
  fail();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(2);
});

it("no longer listens to the device once it is done or stopped", async () => {
  let tries = 0;
  retryUntilDone(async () => ++tries > 0);
  const stop = retryUntilDone(async () => ++tries > 1_000);
  await vi.advanceTimersByTimeAsync(0);
  stop();
  device.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(2);
});
