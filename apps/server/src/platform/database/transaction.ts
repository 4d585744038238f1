import pg from "pg";
import { random, sleep } from "../runtime.ts";
import type { Database, Queries, Tx } from "./database.ts";

/**
 * Runs after the commit: publish, push, wake. Must not fail the caller, whose work is committed.
 */
export type Effect = () => void;

const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** A deadlock or serialization failure: the transaction was rolled back and may be tried again. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}

/** Random back-off that grows with each attempt, so that two deadlocked transactions separate. */
export function pauseBeforeRetry(attempt: number): Promise<void> {
  return sleep(random() * 5 * 2 ** attempt);
}

function runEffects(database: Database, effects: readonly Effect[]): void {
  for (const effect of effects) {
    try {
      effect();
    } catch (err) {
      database.log.error({ err }, "an action after a commit failed");
    }
  }
}

/**
 * Runs `work` in one READ COMMITTED transaction and repeats it after a deadlock: other effects go
 * to `afterCommit`, in order. If the connection is lost during COMMIT, the outcome is unknown.
 */
export async function transact<Value>(
  database: Database,
  work: (tx: Tx, afterCommit: (effect: Effect) => void) => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    const effects: Effect[] = [];
    try {
      const value = await database.kysely
        .transaction()
        .setIsolationLevel("read committed")
        .execute((tx) => work(tx, (effect) => effects.push(effect)));
      runEffects(database, effects);
      return value;
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await pauseBeforeRetry(attempt);
    }
  }
}

/** Runs all queries against one snapshot. Writes nothing. */
export async function readSnapshot<Value>(
  database: Pick<Database, "kysely">,
  read: (queries: Queries) => Promise<Value>,
): Promise<Value> {
  return await database.kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(read);
}
