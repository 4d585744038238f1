import { type RawBuilder, sql } from "kysely";
import type { Database, Queries } from "./database.ts";
import { readSnapshot } from "./transaction.ts";

/** A property of every committed state of the database. */
export interface Invariant {
  /** The property as a sentence: "every entry sums to zero". */
  readonly name: string;
  /** Null if it holds, else a description of the first violation. */
  check(queries: Queries): Promise<string | null>;
}

export interface BrokenFinding {
  readonly name: string;
  readonly found: string;
}

/** An invariant as a query for violations; the first row is reported. */
export function holds(name: string, broken: RawBuilder<{ readonly found: string }>): Invariant {
  return {
    name,
    async check(queries) {
      const { rows } = await broken.execute(queries);
      return rows[0]?.found ?? null;
    },
  };
}

/** The triggers exist and are enabled. @param guards each as "<table> <trigger>" */
export function keepsTriggers(name: string, triggers: readonly string[]): Invariant {
  return holds(
    name,
    sql`
      select wanted || ' is missing or off' as found from unnest(${triggers}::text[]) as wanted
      where not exists (
        select from pg_trigger guard
        where guard.tgrelid = to_regclass(split_part(wanted, ' ', 1)) and guard.tgname = split_part(wanted, ' ', 2)
          and guard.tgenabled in ('O', 'A'))
      order by wanted limit 1`,
  );
}

/**
 * Checks the invariants in order, calls `held` for each that holds, and stops at the first
 * violation.
 */
export async function audit(
  queries: Queries,
  invariants: readonly Invariant[],
  held: (name: string) => void = () => {},
): Promise<BrokenFinding | null> {
  for (const { name, check } of invariants) {
    const found = await check(queries);
    if (found !== null) return { name, found };
    held(name);
  }
  return null;
}

/** Checks all invariants against one snapshot of a database in use. Writes nothing. */
export async function auditSnapshot(
  database: Database,
  invariants: readonly Invariant[],
  held?: (name: string) => void,
): Promise<BrokenFinding | null> {
  return await readSnapshot(database, async (queries) => {
    // A check may compute between two queries for longer than requests are allowed to.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(queries);
    return await audit(queries, invariants, held);
  });
}
