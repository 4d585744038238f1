import { assert } from "@holo/kernel/assert.ts";
import { toPlayerId } from "@holo/kernel/ids.ts";
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
  /** It was not carried out. */
  | { readonly type: "found"; readonly findings: readonly Finding[] };

/** Carries out jobs, many in one transaction. Rejects if the outcome of a job is unknown. */
export interface LifecycleCommit {
  commit(job: LifecycleJob): Promise<JobOutcome>;
  /** Calls back before the next batch, or at once if none is on its way. */
  beforeNext(call: () => void): void;
}

/** The answer of `lifecycle_commit`. */
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
  resolve(outcome: JobOutcome): void;
  reject(error: unknown): void;
}

const JOBS_MAX = 64;
const ATTEMPTS_MAX = 5;
const SLOW_BATCHES_MAX = 4;
const OVERTAKEN_AFTER_MS = 100;
const LIFECYCLE_COMMIT = {
  name: "lifecycle_commit",
  text: "select lifecycle_commit($1, $2) as outcome",
} as const;

/**
 * Collects jobs while a batch is on its way. A batch never waits for locks: a job whose locks are
 * taken is carried out alone, so that it delays no other. Jobs that concern the same player, game
 * or terms go into different batches.
 */
export function openLifecycleCommit({ pool }: Pick<Database, "pool">, metrics: Metrics): LifecycleCommit {
  const batchSize = metrics.histogram(
    "holo_lifecycle_jobs",
    "Games begun or ended in one commit",
    [1, 2, 4, 8, 16, 32, 64],
  );
  let waiting: Waiting[] = [];
  let isRunning = false;
  let slow = 0;
  let calls: (() => void)[] = [];

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

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    batchSize.observe(batch.length);
    try {
      const outcome = await send(
        batch.map(({ job }) => job),
        false,
      );
      for (const [index, one] of batch.entries()) {
        const own = toJobOutcome(outcome, index);
        if (own === null) void runAlone(one);
        else one.resolve(own);
      }
    } catch (error) {
      // One bad job must not fail the others; a lost connection leaves all of them unknown.
      const isRolledBack = isRefusedByDatabase(error) || isRetryable(error);
      for (const one of batch) isRolledBack ? void runAlone(one) : one.reject(error);
    }
  }

  /** The longest waiting jobs that have no key in common. */
  function takeBatch(): readonly Waiting[] {
    const taken = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const isFree = batch.length < JOBS_MAX && one.keys.every((key) => !taken.has(key));
      (isFree ? batch : rest).push(one);
      // Those that must wait keep their turn.
      for (const key of one.keys) taken.add(key);
    }
    waiting = rest;
    return batch;
  }

  /** The next batch follows the one before, or overtakes it if that one is slow to be answered. */
  function runNext(): void {
    if (isRunning) return;
    if (calls.length > 0) {
      const now = calls;
      calls = [];
      for (const call of now) call();
      // What they begin joins this batch.
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
        waiting.push({ job, keys: toKeys(job), resolve, reject });
        if (waiting.length === 1) setImmediate(runNext);
      });
    },
    beforeNext(call) {
      if (isRunning) calls.push(call);
      else call();
    },
  };
}

/** The same for one job in a transaction that is open already. */
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
