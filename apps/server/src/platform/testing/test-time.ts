import { addMs, type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { Time } from "../time/time.ts";

export interface TestTime extends Time {
  /** Advances both clocks. Timers of a wheel fire at its next `tick()`. */
  advance(ms: number): void;
}

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
