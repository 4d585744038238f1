import { assert } from "@holo/kernel/assert.ts";
import type { Clock } from "./clock.ts";
import { type DueTask, type State, type Task, takeSequence } from "./state.ts";

/** Runs tasks on the sandbox's clock, one after another, in order of time. */
export interface Scheduler {
  schedule(task: Task, at: number): void;
  settle(): Promise<void>;
  /** Moves the clock on, stops at every due task on the way and runs what these make due. */
  advance(ms: number): Promise<void>;
  /** Sets the timer again after a change of the clock. */
  rearm(): void;
  /** Starts no more tasks and resolves when the current one has ended. */
  close(): Promise<void>;
}

/** Longer waits overflow the timer. */
const TIMER_MAX_MS = 2_147_483_647;

export function openScheduler(state: State, clock: Clock, run: (task: Task) => Promise<void> | void): Scheduler {
  let chain: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;

  function findNext(): DueTask | undefined {
    return state.tasks.reduce<DueTask | undefined>((first, task) => {
      if (first === undefined || task.at < first.at) return task;
      return task.at === first.at && task.sequence < first.sequence ? task : first;
    }, undefined);
  }

  async function runUntil(limit: () => number, onTask: (task: DueTask) => void = () => undefined): Promise<void> {
    for (let next = findNext(); isOpen && next !== undefined && next.at <= limit(); next = findNext()) {
      const { sequence, task } = next;
      state.tasks = state.tasks.filter((other) => other.sequence !== sequence);
      onTask(next);
      await run(task);
    }
  }

  function enqueue(work: () => Promise<void>): Promise<void> {
    const done = chain.then(work);
    // The caller sees a failing task; the next one runs all the same.
    chain = done.catch(() => undefined).then(rearm);
    return done.then(() => chain);
  }

  const settle = (): Promise<void> => enqueue(() => runUntil(clock.now));

  function rearm(): void {
    clearTimeout(timer);
    const next = findNext();
    if (!isOpen || next === undefined) return;
    const waitMs = next.at - clock.now();
    if (waitMs > 0 && clock.isFrozen()) return;
    timer = setTimeout(settle, Math.min(Math.max(0, waitMs), TIMER_MAX_MS));
    timer.unref();
  }

  return {
    schedule(task, at) {
      state.tasks = [...state.tasks, { at, sequence: takeSequence(state), task }];
      rearm();
    },
    settle,
    advance(ms) {
      assert(ms >= 0, "time moves forward");
      return enqueue(async () => {
        const target = clock.now() + ms;
        await runUntil(
          () => target,
          ({ at }) => clock.set(Math.max(at, clock.now())),
        );
        clock.set(Math.max(target, clock.now()));
        // A slow task makes its webhook due after the target.
        await runUntil(clock.now);
      });
    },
    rearm,
    async close() {
      isOpen = false;
      clearTimeout(timer);
      await chain;
    },
  };
}
