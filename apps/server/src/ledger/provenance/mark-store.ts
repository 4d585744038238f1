import { addMs, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";
import { type DepositName, originsOf } from "./origins-of.ts";

/** How long a machine may hold coins (ruling 44). */
const MARKED_MS = 72 * HOUR_MS;

/**
 * Marks the coins that stem from a deposit, wherever they are and go, for 72 hours (ruling 52). The
 * caller locks no wallet afterwards: withdrawals wait for the commit.
 */
export async function markDeposit(tx: Tx, deposit: DepositName, at: Instant): Promise<void> {
  const newest = await lockMarks(tx);
  await sql`
    insert into coin_marks (deposit_id, after_entry, until_at)
    select origin.id, ${newest}::bigint, ${toTimestamp(addMs(at, MARKED_MS))}::timestamptz from (${originsOf(deposit)}) origin
    on conflict (deposit_id, after_entry) do update set until_at = excluded.until_at, until_entry = null`.execute(tx);
}

/** Ends the marks of a deposit before their time. */
export async function unmarkDeposit(tx: Tx, deposit: DepositName): Promise<void> {
  const newest = await lockMarks(tx);
  await sql`
    update coin_marks set until_entry = ${newest}
    where until_entry is null and deposit_id in (select origin.id from (${originsOf(deposit)}) origin)`.execute(tx);
}

/**
 * No withdrawal is being posted from now on: the newest entry separates those that know the marks
 * from those that do not (`ledger_post`).
 */
async function lockMarks(tx: Tx): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(490, 0)`.execute(tx);
  const { rows } = await sql<{ readonly id: bigint }>`
    select coalesce(max(id), 0)::bigint as id from ledger_entries`.execute(tx);
  return rows[0]!.id;
}
