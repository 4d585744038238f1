import type { Database } from "../../platform/database/database.ts";
import { isRefusedByDatabase } from "../../platform/database/rolled-back.ts";
import { isRetryable } from "../../platform/database/transaction.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { clearTimeout, setImmediate, setTimeout } from "../../platform/runtime.ts";
import { Fenced, type OwnFence } from "../../platform/servers/fence.ts";
import { Turns } from "../../platform/turns.ts";
import { BusyJobs } from "./busy-jobs.ts";
import { type LifecycleJob, toKeys } from "./lifecycle-job.ts";
import { commitBatch, type JobOutcome, toJobOutcome } from "./lifecycle-outcome.ts";
import { LifecycleQueue, type QueuedJob } from "./lifecycle-queue.ts";

const SLOW_BATCHES_MAX = 4;
const OVERTAKEN_AFTER_MS = 100;
const IN_TURN_MAX = 4;

/**
 * Carries out jobs, many in one transaction: collects them while a batch is in progress. A batch
 * never waits for locks: a blocked job runs alone or later.
 */
export class LifecycleCommit {
  readonly #pool: Database["pool"];
  readonly #own: OwnFence;
  readonly #batchSize: ReturnType<Metrics["histogram"]>;
  readonly #queue = new LifecycleQueue();
  readonly #busy: BusyJobs;
  readonly #turns = new Turns(IN_TURN_MAX);
  #isRunning = false;
  #slow = 0;
  #calls: (() => void)[] = [];

  constructor({ pool }: Pick<Database, "pool">, metrics: Metrics, own: OwnFence) {
    this.#pool = pool;
    this.#own = own;
    this.#batchSize = metrics.histogram(
      "holo_lifecycle_jobs",
      "Games started or ended per commit",
      [1, 2, 4, 8, 16, 32, 64],
    );
    this.#busy = new BusyJobs(pool, (one) => this.#add(one));
  }

  /** Rejects with `Fenced`, which wrote nothing, or if the outcome is unknown. */
  async commit(job: LifecycleJob): Promise<JobOutcome> {
    const fence = this.#own.fence();
    try {
      return await new Promise((resolve, reject) => {
        this.#add({ job, fence, keys: toKeys(job), busySinceMs: null, isSuspect: false, resolve, reject });
      });
    } catch (error) {
      if (error instanceof Fenced) this.#own.noteFenced();
      throw error;
    }
  }

  /** Calls back before the next batch, or at once if no batch is in progress. */
  beforeNext(call: () => void): void {
    if (this.#isRunning) this.#calls.push(call);
    else call();
  }

  /** Runs a separate transaction that may wait for locks; if there are many, they queue. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#turns.run(work);
  }

  #add(one: QueuedJob): void {
    this.#queue.add(one);
    if (this.#queue.size === 1) setImmediate(() => this.#runNext());
  }

  /** The next batch follows the one before, or overtakes one that is slow to answer. */
  #runNext(): void {
    if (this.#isRunning) return;
    if (this.#calls.length > 0) {
      const calls = this.#calls;
      this.#calls = [];
      for (const call of calls) call();
      // Jobs that the callbacks begin join this batch.
      setImmediate(() => this.#runNext());
      return;
    }
    if (this.#queue.size === 0) return;
    this.#isRunning = true;
    let isSlow = false;
    const timer = setTimeout(() => {
      if (this.#slow >= SLOW_BATCHES_MAX) return;
      isSlow = true;
      this.#slow += 1;
      this.#isRunning = false;
      this.#runNext();
    }, OVERTAKEN_AFTER_MS);
    void this.#runBatch(this.#queue.takeBatch()).then(() => {
      clearTimeout(timer);
      if (isSlow) this.#slow -= 1;
      else this.#isRunning = false;
      this.#runNext();
    });
  }

  async #runBatch(taken: readonly QueuedJob[]): Promise<void> {
    const fence = this.#own.fence();
    // What was decided under an id that this server has lost is not sent.
    const batch = taken.filter((one) => one.fence.serverId === fence.serverId);
    for (const one of taken) if (!batch.includes(one)) one.reject(new Fenced(one.fence));
    if (batch.length === 0) return;
    this.#batchSize.observe(batch.length);
    try {
      const outcome = await commitBatch(
        this.#pool,
        fence,
        batch.map(({ job }) => job),
        { waits: false },
      );
      for (const [index, one] of batch.entries()) {
        const own = toJobOutcome(outcome, index);
        if (own === null) this.#busy.add(one);
        else one.resolve(own);
      }
    } catch (error) {
      // One bad job must not fail the others; a lost connection leaves all of them unknown.
      const isRolledBack = isRefusedByDatabase(error) || isRetryable(error);
      for (const one of batch) {
        if (!isRolledBack) one.reject(error);
        else if (one.isSuspect) isRetryable(error) ? this.#busy.add(one) : one.reject(error);
        else this.#add({ ...one, isSuspect: true });
      }
    }
  }
}
