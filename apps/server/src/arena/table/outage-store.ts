import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";

/** A time without any server (ruling 16). */
export interface Outage {
  readonly fromAt: Instant;
  readonly toAt: Instant;
}

/** Outages, oldest first: from the last sign of life before each server start to that start. */
export async function loadOutages(queries: Queries): Promise<readonly Outage[]> {
  const { rows } = await sql<{ from_at: Date; to_at: Date }>`
    select from_at, to_at from (
      select max(last_seen_at) over (order by started_at rows between unbounded preceding and 1 preceding) as from_at,
        started_at as to_at
      from nodes order by started_at desc limit 1000
    ) boots where from_at < to_at order by to_at`.execute(queries);
  return rows.map((row) => ({ fromAt: fromTimestamp(row.from_at), toAt: fromTimestamp(row.to_at) }));
}
