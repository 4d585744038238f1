import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "../database/database.ts";

/** Resolves once a connection to this database waits for a lock. */
export const untilOneWaits = (database: Pick<Database, "kysely">): Promise<void> => untilSomeWait(database, 1);

/** Resolves once so many connections to this database wait for locks. */
export async function untilSomeWait({ kysely }: Pick<Database, "kysely">, count: number): Promise<void> {
  const countWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
    return rows.length;
  };
  await expect.poll(countWaiting).toBe(count);
}
