import type { Fence } from "../../platform/servers/fence.ts";
import type { LifecycleJob } from "./lifecycle-job.ts";
import type { JobOutcome } from "./lifecycle-outcome.ts";

export interface QueuedJob {
  readonly job: LifecycleJob;
  /** Of the server that decided it. It may have got another id since. */
  readonly fence: Fence;
  /** Everything that only one job of a batch may concern. */
  readonly keys: readonly string[];
  /** When its locks were first found taken; null before. */
  busySinceMs: number | null;
  /** The database refused its batch, so it gets a separate one. */
  isSuspect: boolean;
  resolve(outcome: JobOutcome): void;
  reject(error: unknown): void;
}

const JOBS_MAX = 64;

/** Jobs that wait for a batch. Two about the same player, game or terms go into different ones. */
export class LifecycleQueue {
  #waiting: QueuedJob[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(one: QueuedJob): void {
    this.#waiting.push(one);
  }

  takeBatch(): readonly QueuedJob[] {
    const taken = new Set<string>();
    const batch: QueuedJob[] = [];
    const rest: QueuedJob[] = [];
    for (const one of this.#waiting) {
      const isAlone = one.isSuspect || batch[0]?.isSuspect === true;
      const isFree = batch.length < (isAlone ? 1 : JOBS_MAX) && one.keys.every((key) => !taken.has(key));
      (isFree ? batch : rest).push(one);
      // Jobs that must wait keep their turn.
      for (const key of one.keys) taken.add(key);
    }
    this.#waiting = rest;
    return batch;
  }
}
