import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { Difference } from "./compare.ts";

export interface Reconciliation {
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  readonly finishedAt: Instant;
  readonly asked: number;
  readonly differences: readonly Difference[];
}

/** False where the day is finished or was claimed after `abandonedBefore`. */
export async function claimDay(queries: Queries, day: string, at: Instant, abandonedBefore: Instant): Promise<boolean> {
  const { rows } = await sql`
    insert into reconciliations as kept (day, started_at) values (${day}, ${at})
    on conflict (day) do update set started_at = excluded.started_at
    where kept.finished_at is null and kept.started_at <= ${abandonedBefore}
    returning day`.execute(queries);
  return rows.length === 1;
}

/** The compared period began at `from`. */
export async function saveReconciliation(
  queries: Queries,
  result: Reconciliation,
  { startedAt, from }: { readonly startedAt: Instant; readonly from: Instant },
): Promise<void> {
  const { day, finishedAt, asked, differences } = result;
  await sql`
    insert into reconciliations (day, started_at, finished_at, compared_from, asked, differences)
    values (${day}, ${startedAt}, ${finishedAt}, ${from}, ${asked}, ${JSON.stringify(differences)})
    on conflict (day) do update set started_at = excluded.started_at, finished_at = excluded.finished_at,
      compared_from = least(reconciliations.compared_from, excluded.compared_from),
      asked = reconciliations.asked + excluded.asked, differences = excluded.differences`.execute(queries);
}

/** Whether a comparison since then went back at least to `from`. */
export async function hasComparedFrom(queries: Queries, from: Instant, since: Instant): Promise<boolean> {
  const { rows } = await sql`
    select from reconciliations where compared_from <= ${from} and started_at >= ${since} limit 1`.execute(queries);
  return rows.length > 0;
}

export async function loadLastReconciliation(queries: Queries): Promise<Reconciliation | null> {
  const { rows } = await sql<{
    readonly day: string;
    readonly finished_at: bigint;
    readonly asked: number;
    readonly differences: string;
  }>`
    select day::text as day, finished_at, asked, differences from reconciliations
    where finished_at is not null order by day desc limit 1`.execute(queries);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    day: row.day,
    finishedAt: toInstant(Number(row.finished_at)),
    asked: row.asked,
    differences: JSON.parse(row.differences) as readonly Difference[],
  };
}

/** When a comparison was last complete; before the first: since when it is tried. Null: never. */
export async function loadComparedAt(queries: Queries): Promise<Instant | null> {
  const { rows } = await sql<{ readonly at: bigint | null }>`
    select coalesce(max(finished_at), min(started_at)) as at from reconciliations`.execute(queries);
  const { at } = rows[0]!;
  return at === null ? null : toInstant(Number(at));
}
