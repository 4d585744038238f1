import { type RawBuilder, sql } from "kysely";
import type { Database, Queries } from "./database.ts";
import { readSnapshot } from "./transaction.ts";

/** Something that holds in every committed state of the database, whatever happened to it. */
export interface Invariant {
  /** A sentence that is true: "every entry sums to zero". */
  readonly name: string;
  /** Null where it holds, else what was found, naming the first row that breaks it. */
  check(queries: Queries): Promise<string | null>;
}

export interface BrokenFinding {
  readonly name: string;
  readonly found: string;
}

/** An invariant as the query for what breaks it: its first row is reported. */
export function holds(name: string, broken: RawBuilder<{ readonly found: string }>): Invariant {
  return {
    name,
    async check(queries) {
      const { rows } = await broken.execute(queries);
      return rows[0]?.found ?? null;
    },
  };
}

/** Triggers that are there and in force. @param guards each as its table's name and its own, with a space between */
export function keepsGuards(name: string, guards: readonly string[]): Invariant {
  return holds(
    name,
    sql`
      select wanted || ' is missing or off' as found from unnest(${guards}::text[]) as wanted
      where not exists (
        select from pg_trigger guard
        where guard.tgrelid = to_regclass(split_part(wanted, ' ', 1)) and guard.tgname = split_part(wanted, ' ', 2)
          and guard.tgenabled in ('O', 'A'))
      order by wanted limit 1`,
  );
}

/** Checks one after the other, calls `held` for each that holds, and ends at the first that does not. */
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

/**
 * Checks all of them against one state of a database that is in use meanwhile, so that what is compared belongs together. Writes nothing.
 */
export async function auditSnapshot(
  database: Database,
  invariants: readonly Invariant[],
  held?: (name: string) => void,
): Promise<BrokenFinding | null> {
  return await readSnapshot(database, async (queries) => {
    // Between two queries a check may think for longer than a request ever should.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(queries);
    return await audit(queries, invariants, held);
  });
}
