import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Answer } from "../answer.ts";

/** Counts the moves that were made, each with how long it took from the frame's arrival to the answer, which follows the commit. */
export const MOVE_SECONDS = "holo_move_seconds";
/** Finer where most are; the bounds are seconds. */
const BUCKETS = [0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export interface MoveTimes {
  /** From now until the answer; moves that are refused, or were made before, are not counted. */
  start(answer: (answer: Answer) => void): (answer: Answer) => void;
}

export function openMoveTimes(metrics: Metrics): MoveTimes {
  const seconds = metrics.histogram(MOVE_SECONDS, "Time from a move's arrival until it is answered", BUCKETS);
  return {
    start(answer) {
      const startedMs = performance.now();
      return (given) => {
        if (given.type === "done" && !given.isRepeat) seconds.observe((performance.now() - startedMs) / 1_000);
        answer(given);
      };
    },
  };
}
