import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "../database/database.ts";

/** Resolves once a connection to this database waits for a lock. */
export async function untilOneWaits({ kysely }: Pick<Database, "kysely">): Promise<void> {
  const countWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely);
    return rows.length;
  };
  await expect.poll(countWaiting).toBe(1);
}
