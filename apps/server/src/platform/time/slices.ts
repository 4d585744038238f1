import type { Steps } from "@holo/kernel/steps.ts";
import { performance, setImmediate } from "../runtime.ts";

interface Slices {
  run<Value>(steps: Steps<Value>): Promise<Value>;
}

/** Work of all computations together within one turn of the event loop. */
const SLICE_MS = 5;

type Computation = (untilMs: number) => boolean;

export const slices: Slices = openSlices(() => performance.now());

export function openSlices(nowMs: () => number): Slices {
  const waiting: Computation[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(runSlice);
  }

  /** Short computations share a slice; a long one gets a slice and then waits for the others. */
  function runSlice(): void {
    isScheduled = false;
    const untilMs = nowMs() + SLICE_MS;
    do {
      const computation = waiting.shift();
      if (computation === undefined) return;
      if (!computation(untilMs)) waiting.push(computation);
    } while (nowMs() < untilMs);
    schedule();
  }

  return {
    run: <Value>(steps: Steps<Value>) =>
      new Promise<Value>((resolve, reject) => {
        waiting.push((untilMs) => {
          try {
            do {
              const next = steps.next();
              if (!next.done) continue;
              resolve(next.value);
              return true;
            } while (nowMs() < untilMs);
            return false;
          } catch (error) {
            // The fault belongs to the caller of this computation; the others go on.
            reject(error);
            return true;
          }
        });
        schedule();
      }),
  };
}
