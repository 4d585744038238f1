import { addMs, type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { Time } from "../time.ts";

export interface TestTime extends Time {
  /** Lets `ms` pass at once, on both clocks. Timers of a wheel fire at its next `tick()`. */
  advance(ms: number): void;
}

/** Time that stands still until told otherwise. */
export function makeTestTime(startAt: Instant = toInstant(Date.UTC(2026, 0, 1))): TestTime {
  let nowAt = startAt;
  let monotonicMs = 0;
  return {
    now: () => nowAt,
    monotonicMs: () => monotonicMs,
    advance(ms) {
      nowAt = addMs(nowAt, ms);
      monotonicMs += ms;
    },
  };
}
