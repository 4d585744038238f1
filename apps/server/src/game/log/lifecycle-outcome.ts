import { assert } from "@holo/kernel/assert.ts";
import { sql } from "kysely";
import pg from "pg";
import { type PostedWalletRow, toPostedWallets, type Wallet } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type Fence, Fenced } from "../../platform/servers/fence.ts";
import type { Finding } from "./finding.ts";
import { formatBatch, type LifecycleJob } from "./lifecycle-job.ts";

export type JobOutcome =
  | { readonly type: "committed"; readonly wallets: readonly Wallet[] }
  | { readonly type: "found"; readonly findings: readonly Finding[] };

interface BatchOutcome {
  readonly busy: readonly number[];
  readonly found: Readonly<Record<string, readonly Finding[]>> | null;
  readonly committed: readonly number[];
  readonly wallets: readonly PostedWalletRow[];
}

const LIFECYCLE_COMMIT = {
  name: "lifecycle_commit",
  text: "select lifecycle_commit($1, $2) as outcome",
} as const;

const FENCED = "HF001";

/**
 * One transaction. `waits`: for locks; otherwise jobs whose locks are taken are left out. Throws
 * `Fenced`.
 */
export async function commitBatch(
  pool: Database["pool"],
  fence: Fence,
  jobs: readonly LifecycleJob[],
  { waits }: { readonly waits: boolean },
): Promise<BatchOutcome> {
  const values = [formatBatch(fence, jobs), waits];
  const query = pool.query<{ outcome: BatchOutcome }>({ ...LIFECYCLE_COMMIT, values });
  return (await orFenced(fence, query)).rows[0]!.outcome;
}

/** As a batch of one job, in an open transaction. */
export async function commitWithin(tx: Tx, fence: Fence, job: LifecycleJob): Promise<JobOutcome> {
  const { rows } = await sql<{ readonly outcome: BatchOutcome }>`
    select lifecycle_commit(${formatBatch(fence, [job])}::jsonb, true) as outcome`.execute(tx);
  return toJobOutcome(rows[0]!.outcome, 0)!;
}

/** Holds the fence until the transaction ends. Throws `Fenced`. */
export async function holdFence(tx: Tx, fence: Fence): Promise<void> {
  await orFenced(fence, sql`select hold_fence(${fence.serverId}, ${fence.databaseStart})`.execute(tx));
}

async function orFenced<Value>(fence: Fence, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code === FENCED ? new Fenced(fence) : error;
  }
}

/** Null for a job whose locks are taken. */
export function toJobOutcome({ busy, found, committed, wallets }: BatchOutcome, index: number): JobOutcome | null {
  if (committed.includes(index)) {
    return { type: "committed", wallets: toPostedWallets(wallets.filter(({ job }) => job === index)) };
  }
  if (busy.includes(index)) return null;
  const findings = found?.[index];
  assert(findings !== undefined, "a job is committed, or something was found against it");
  return { type: "found", findings };
}
