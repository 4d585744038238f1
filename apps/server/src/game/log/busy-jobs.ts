import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import { isRetryable, pauseBeforeRetry } from "../../platform/database/transaction.ts";
import { performance, setTimeout } from "../../platform/runtime.ts";
import { commitBatch, toJobOutcome } from "./lifecycle-outcome.ts";
import type { QueuedJob } from "./lifecycle-queue.ts";

const ATTEMPTS_MAX = 5;
/**
 * Jobs that may wait for locks in parallel, each on a connection. With the slow batches and the
 * serial work they leave a quarter of the pool free.
 */
const WAITING_JOBS_MAX = 3;
/** The pause before another busy job is queued again. */
const RETRY_BUSY_MS = 50;
/** Then it fails; as long as `lock_timeout`. */
const BUSY_MS_MAX = 5 * SECOND_MS;

/** Jobs whose locks are taken: a few wait for them alone, others are queued again. */
export class BusyJobs {
  readonly #pool: Database["pool"];
  readonly #queueAgain: (one: QueuedJob) => void;
  #waiting = 0;

  constructor(pool: Database["pool"], queueAgain: (one: QueuedJob) => void) {
    this.#pool = pool;
    this.#queueAgain = queueAgain;
  }

  add(one: QueuedJob): void {
    if (this.#waiting < WAITING_JOBS_MAX) {
      this.#waiting += 1;
      void this.#runWaiting(one).finally(() => {
        this.#waiting -= 1;
      });
      return;
    }
    const nowMs = performance.now();
    one.busySinceMs ??= nowMs;
    if (nowMs - one.busySinceMs > BUSY_MS_MAX) one.reject(new Error("the locks of a job stayed taken"));
    else setTimeout(() => this.#queueAgain(one), RETRY_BUSY_MS);
  }

  async #runWaiting({ job, fence, resolve, reject }: QueuedJob): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return resolve(toJobOutcome(await commitBatch(this.#pool, fence, [job], { waits: true }), 0)!);
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) return reject(error);
        await pauseBeforeRetry(attempt);
      }
    }
  }
}
