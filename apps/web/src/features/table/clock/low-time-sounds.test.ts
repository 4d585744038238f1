import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLowTimeSounds } from "./low-time-sounds.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function listen(afterMs: number, lastMs: number): readonly number[] {
  const startedAt = Date.now();
  const played: number[] = [];
  const stop = startLowTimeSounds(afterMs, lastMs, () => played.push(Date.now() - startedAt));
  vi.advanceTimersByTime(5_000);
  stop();
  vi.advanceTimersByTime(5_000);
  return played;
}

// [CLOCK-05 §4,9 r29] Below one minute the player's own clock makes a sound every two seconds.
test("plays every two seconds once less than a minute is left, until it is stopped [CLOCK-05]", () => {
  expect(listen(-500, Number.NEGATIVE_INFINITY)).toEqual([0, 2_000, 4_000]);
  expect(listen(1_200, Number.NEGATIVE_INFINITY)).toEqual([1_200, 3_200]);
});

test("keeps the rhythm of the last sound when the table changes", () => {
  expect(listen(-500, -300)).toEqual([1_700, 3_700]);
});
