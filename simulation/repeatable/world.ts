import type { Process, Scheduler } from "./scheduler.ts";

export class Stuck extends Error {}

export interface World {
  until(holds: () => boolean | Promise<boolean>, withinMs?: number): Promise<void>;
  spawn<Value>(process: Process, work: () => Promise<Value>): Promise<Value>;
  atOnce<Value>(work: () => Promise<Value>): Promise<Value>;
  carryOut<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Is not awaited; if it fails, the run ends with its error. */
  runBeside(work: Promise<unknown>): void;
}

const WITHIN_MS = 30 * 60_000;
const LOOK_EVERY_STEPS = 100;

export function openWorld(scheduler: Scheduler): World {
  let failure: { readonly error: unknown } | null = null;

  /** Runs the world until then. */
  async function until(holds: () => boolean | Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
    const deadlineMs = scheduler.nowMs() + withinMs;
    while (!(await holds())) {
      for (let step = 0; step < LOOK_EVERY_STEPS; step += 1) {
        await scheduler.step();
        if (failure !== null) throw failure.error;
      }
      if (scheduler.nowMs() > deadlineMs) throw new Stuck(`after ${withinMs / 1_000} virtual s still not: ${holds}`);
    }
  }

  /** Begins the work as an event of that process; the outcome is an event of this one. */
  function spawn<Value>(process: Process, work: () => Promise<Value>): Promise<Value> {
    const caller = scheduler.currentProcess();
    return new Promise((resolve, reject) => {
      const begin = (): void =>
        void work().then(
          (value) => scheduler.schedule(0, () => resolve(value), caller),
          (error) => scheduler.schedule(0, () => reject(error), caller),
        );
      scheduler.schedule(0, begin, process);
    });
  }

  /** Work that takes real time and no virtual time: nothing else happens meanwhile. */
  function atOnce<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      scheduler.schedule(0, () => work().then(resolve, reject));
    });
  }

  /** Runs the world until the work is done. */
  async function carryOut<Value>(work: () => Promise<Value>): Promise<Value> {
    let outcome: { readonly value: Value } | { readonly error: unknown } | null = null;
    spawn(scheduler.currentProcess(), work).then(
      (value) => {
        outcome = { value };
      },
      (error) => {
        outcome = { error };
      },
    );
    await until(() => outcome !== null);
    if ("error" in outcome!) throw (outcome as { readonly error: unknown }).error;
    return (outcome as unknown as { readonly value: Value }).value;
  }

  function runBeside(work: Promise<unknown>): void {
    work.catch((error) => {
      failure ??= { error };
    });
  }

  return { until, spawn, atOnce, carryOut, runBeside };
}
