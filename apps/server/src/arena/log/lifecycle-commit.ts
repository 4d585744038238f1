import { assert } from "@holo/kernel/assert.ts";
import { toPlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { isRefusedByDatabase } from "../../platform/database/rolled-back.ts";
import { isRetryable, pauseBeforeRetry } from "../../platform/database/transaction.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Finding } from "./finding.ts";
import { formatBatch, type LifecycleJob, toKeys } from "./lifecycle-job.ts";

export type JobOutcome =
  | { readonly type: "committed"; readonly wallets: readonly Wallet[] }
  | { readonly type: "found"; readonly findings: readonly Finding[] };

/** Carries out jobs, many in one transaction. Rejects if the outcome of a job is unknown. */
export interface LifecycleCommit {
  commit(job: LifecycleJob): Promise<JobOutcome>;
  /** Calls back before the next batch, or at once if no batch is in progress. */
  beforeNext(call: () => void): void;
  /** Runs a separate transaction that may wait for locks; if there are many, they queue. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
}

interface BatchOutcome {
  readonly busy: readonly number[];
  readonly found: Readonly<Record<string, readonly Finding[]>> | null;
  readonly committed: readonly number[];
  readonly wallets:
    | readonly {
        readonly job: number;
        readonly playerId: string;
        readonly balance: string;
        readonly sequence: number;
      }[]
    | null;
}

interface Waiting {
  readonly job: LifecycleJob;
  readonly keys: readonly string[];
  /** When its locks were first found taken; null before. */
  busySinceMs: number | null;
  /** The database refused its batch, so it gets a separate one. */
  isSuspect: boolean;
  resolve(outcome: JobOutcome): void;
  reject(error: unknown): void;
}

const JOBS_MAX = 64;
const ATTEMPTS_MAX = 5;
const SLOW_BATCHES_MAX = 4;
const OVERTAKEN_AFTER_MS = 100;
/**
 * Jobs that may wait for locks in parallel, each on a connection. With the slow batches and the
 * serial work they leave a quarter of the pool free.
 */
const ALONE_MAX = 3;
const IN_TURN_MAX = 4;
/** Further busy jobs join later batches, for as long as a statement waits for a lock. */
const RETRY_BUSY_MS = 50;
const BUSY_MS_MAX = 5 * SECOND_MS;
const LIFECYCLE_COMMIT = {
  name: "lifecycle_commit",
  text: "select lifecycle_commit($1, $2) as outcome",
} as const;

/**
 * Collects jobs while a batch is in progress. A batch never waits for locks: a blocked job runs
 * alone or later. Jobs about the same player, game or terms go into different batches.
 */
export function openLifecycleCommit({ pool }: Pick<Database, "pool">, metrics: Metrics): LifecycleCommit {
  const batchSize = metrics.histogram(
    "holo_lifecycle_jobs",
    "Games started or ended per commit",
    [1, 2, 4, 8, 16, 32, 64],
  );
  let waiting: Waiting[] = [];
  let isRunning = false;
  let slow = 0;
  let alone = 0;
  let calls: (() => void)[] = [];
  let inTurn = 0;
  const turns: (() => void)[] = [];

  async function send(jobs: readonly LifecycleJob[], waits: boolean): Promise<BatchOutcome> {
    const { rows } = await pool.query<{ outcome: BatchOutcome }>({
      ...LIFECYCLE_COMMIT,
      values: [formatBatch(jobs), waits],
    });
    return rows[0]!.outcome;
  }

  async function runAlone({ job, resolve, reject }: Waiting): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return resolve(toJobOutcome(await send([job], true), 0)!);
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) return reject(error);
        await pauseBeforeRetry(attempt);
      }
    }
  }

  function add(one: Waiting): void {
    waiting.push(one);
    if (waiting.length === 1) setImmediate(runNext);
  }

  function waitForLocks(one: Waiting): void {
    if (alone < ALONE_MAX) {
      alone += 1;
      void runAlone(one).finally(() => {
        alone -= 1;
      });
      return;
    }
    const nowMs = performance.now();
    one.busySinceMs ??= nowMs;
    if (nowMs - one.busySinceMs > BUSY_MS_MAX) one.reject(new Error("the locks of a job stayed taken"));
    else setTimeout(() => add(one), RETRY_BUSY_MS);
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    batchSize.observe(batch.length);
    try {
      const outcome = await send(
        batch.map(({ job }) => job),
        false,
      );
      for (const [index, one] of batch.entries()) {
        const own = toJobOutcome(outcome, index);
        if (own === null) waitForLocks(one);
        else one.resolve(own);
      }
    } catch (error) {
      // One bad job must not fail the others; a lost connection leaves all of them unknown.
      const isRolledBack = isRefusedByDatabase(error) || isRetryable(error);
      for (const one of batch) {
        if (!isRolledBack) one.reject(error);
        else if (one.isSuspect) isRetryable(error) ? waitForLocks(one) : one.reject(error);
        else add({ ...one, isSuspect: true });
      }
    }
  }

  function takeBatch(): readonly Waiting[] {
    const taken = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const isAlone = one.isSuspect || batch[0]?.isSuspect === true;
      const isFree = batch.length < (isAlone ? 1 : JOBS_MAX) && one.keys.every((key) => !taken.has(key));
      (isFree ? batch : rest).push(one);
      // Jobs that must wait keep their turn.
      for (const key of one.keys) taken.add(key);
    }
    waiting = rest;
    return batch;
  }

  /** The next batch follows the one before, or overtakes one that is slow to answer. */
  function runNext(): void {
    if (isRunning) return;
    if (calls.length > 0) {
      const now = calls;
      calls = [];
      for (const call of now) call();
      // Jobs that the callbacks begin join this batch.
      setImmediate(runNext);
      return;
    }
    if (waiting.length === 0) return;
    isRunning = true;
    let isSlow = false;
    const timer = setTimeout(() => {
      if (slow >= SLOW_BATCHES_MAX) return;
      isSlow = true;
      slow += 1;
      isRunning = false;
      runNext();
    }, OVERTAKEN_AFTER_MS);
    void runBatch(takeBatch()).then(() => {
      clearTimeout(timer);
      if (isSlow) slow -= 1;
      else isRunning = false;
      runNext();
    });
  }

  return {
    commit(job) {
      return new Promise((resolve, reject) => {
        add({ job, keys: toKeys(job), busySinceMs: null, isSuspect: false, resolve, reject });
      });
    },
    beforeNext(call) {
      if (isRunning) calls.push(call);
      else call();
    },
    async inTurn(work) {
      if (inTurn < IN_TURN_MAX) inTurn += 1;
      else await new Promise<void>((resolve) => turns.push(resolve));
      try {
        return await work();
      } finally {
        const next = turns.shift();
        if (next === undefined) inTurn -= 1;
        else next();
      }
    },
  };
}

/** As a batch of one job, in an open transaction. */
export async function commitWithin(tx: Tx, job: LifecycleJob): Promise<JobOutcome> {
  const { rows } = await sql<{ readonly outcome: BatchOutcome }>`
    select lifecycle_commit(${formatBatch([job])}::jsonb, true) as outcome`.execute(tx);
  return toJobOutcome(rows[0]!.outcome, 0)!;
}

/** Null for a job that waits for locks. */
function toJobOutcome({ busy, found, committed, wallets }: BatchOutcome, index: number): JobOutcome | null {
  if (committed.includes(index)) {
    const own = wallets?.filter(({ job }) => job === index) ?? [];
    return {
      type: "committed",
      wallets: own.map(({ playerId, balance, sequence }) => ({
        playerId: toPlayerId(playerId),
        balance: toCoins(BigInt(balance)),
        sequence,
      })),
    };
  }
  if (busy.includes(index)) return null;
  const findings = found?.[index];
  assert(findings !== undefined, "a job is committed, or something was found against it");
  return { type: "found", findings };
}
