import { type RawBuilder, sql } from "kysely";
import type { Database, Queries } from "./database.ts";

export interface Invariant {
  /** The property as a sentence: "every entry sums to zero". */
  readonly name: string;
  /**
   * Null if it holds, else a description of the first violation. A statement compares only its own
   * results: the next one may see a later state.
   */
  check(queries: Queries): Promise<string | null>;
}

export interface BrokenFinding {
  readonly name: string;
  readonly found: string;
}

type Violations = RawBuilder<{ readonly found: string }>;

/**
 * An invariant as a query for violations, or what makes it; the first row is reported. The CTE is
 * read to its end: planned for one row, it would join all tables by nested loops.
 */
export function holds(name: string, broken: Violations | (() => Violations)): Invariant {
  return {
    name,
    async check(queries) {
      const { rows } = await sql<{ readonly found: string }>`
        with violation as materialized (${typeof broken === "function" ? broken() : broken}) select found from violation limit 1`.execute(
        queries,
      );
      return rows[0]?.found ?? null;
    },
  };
}

export function keepsTriggers(name: string, triggers: readonly string[]): Invariant {
  return holds(
    name,
    sql`
      select wanted || ' is missing or off' as found from unnest(${triggers}::text[]) as wanted
      where not exists (
        select from pg_trigger guard
        where guard.tgrelid = to_regclass(split_part(wanted, ' ', 1)) and guard.tgname = split_part(wanted, ' ', 2)
          and guard.tgenabled in ('O', 'A'))
      order by wanted`,
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

/**
 * Checks all invariants of a database in use. Each statement has its own snapshot, so that vacuum
 * waits for one statement at most (docs/decisions/platform.md). Writes nothing.
 */
export async function auditDatabase(
  database: Database,
  invariants: readonly Invariant[],
  held?: (name: string) => void,
): Promise<BrokenFinding | null> {
  return await database.kysely.connection().execute(async (queries) => {
    // Nested loops over misjudged row counts grow with the square of the games.
    await sql`select set_config('enable_nestloop', 'off', false), set_config('jit', 'off', false)`.execute(queries);
    try {
      return await audit(queries, invariants, held);
    } finally {
      await sql`select set_config('enable_nestloop', 'on', false), set_config('jit', 'on', false)`.execute(queries);
    }
  });
}
