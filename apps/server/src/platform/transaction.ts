import pg from "pg";
import type { Database, Queries, Tx } from "./database.ts";

/** Something to do once the transaction stands: publish, push, wake. It must not fail the caller, whose work is committed. */
export type Effect = () => void;

const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

function isRetryable(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}

/** A few random milliseconds more with each attempt, so that two who deadlocked do not meet again in step. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt));
}

function runEffects(database: Database, effects: readonly Effect[]): void {
  for (const effect of effects) {
    try {
      effect();
    } catch (err) {
      database.log.error({ err }, "an effect of a committed transaction failed");
    }
  }
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits it when it resolves; rolls back and rethrows when it rejects.
 *
 * After a deadlock or a serialization failure the whole of `work` runs again, five attempts in all: it must decide from what it
 * reads in `tx`, and touch nothing else. What it hands to `afterCommit` runs in order once the commit stands, and is dropped with
 * an attempt that failed. A connection lost during COMMIT rejects with the outcome unknown; the caller's idempotency key tells.
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
      await pause(attempt);
    }
  }
}

/** Reads as of one moment, however many queries it takes. Writes nothing. */
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
