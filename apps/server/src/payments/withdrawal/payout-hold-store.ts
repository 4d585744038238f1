import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

type PayoutHoldCause =
  | "restore"
  | "operator"
  /** The database runs on another PostgreSQL, or on one that was recovered. */
  | "database_changed";

export interface PayoutHold {
  readonly id: bigint;
  readonly cause: PayoutHoldCause;
  readonly fromAt: Instant;
  /** Later orders to the provider may be unknown here. */
  readonly compareFrom: Instant;
}

export async function loadPayoutHold(queries: Queries): Promise<PayoutHold | null> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly cause: PayoutHoldCause;
    readonly from_at: bigint;
    readonly compare_from: bigint;
  }>`select id, cause, from_at, compare_from from payout_holds where until_at is null`.execute(queries);
  const [row] = rows;
  if (row === undefined) return null;
  const [fromAt, compareFrom] = [row.from_at, row.compare_from].map((at) => toInstant(Number(at)));
  return { id: row.id, cause: row.cause, fromAt: fromAt!, compareFrom: compareFrom! };
}

/**
 * Since when the database may lack reports of the provider: a hold, open or ended, after which no
 * comparison has begun and been complete. Null for none.
 */
export async function loadUncomparedHold(queries: Queries): Promise<Pick<PayoutHold, "fromAt" | "compareFrom"> | null> {
  const { rows } = await sql<{ readonly from_at: bigint | null; readonly compare_from: bigint | null }>`
    select max(from_at) as from_at, min(compare_from) as compare_from from payout_holds
    where from_at > coalesce((select max(started_at) from reconciliations where finished_at is not null), 0)`.execute(
    queries,
  );
  const { from_at: fromAt, compare_from: compareFrom } = rows[0]!;
  if (fromAt === null || compareFrom === null) return null;
  return { fromAt: toInstant(Number(fromAt)), compareFrom: toInstant(Number(compareFrom)) };
}

/** Waits for transfers that are being recorded, and returns the known identity of the database. */
export async function lockPayoutGuard(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ readonly known: string | null }>`
    select database_identity as known from payout_guard for update`.execute(tx);
  return rows[0]!.known;
}

interface NewPayoutHold {
  readonly cause: PayoutHoldCause;
  readonly at: Instant;
  /** Default: the start of the last finished comparison. */
  readonly compareFrom?: Instant;
  readonly auditEventId?: bigint;
}

/** Begins a hold. It replaces an open one and compares at least as far back. */
export async function savePayoutHold(
  tx: Tx,
  { cause, at, compareFrom, auditEventId = undefined }: NewPayoutHold,
): Promise<void> {
  await lockPayoutGuard(tx);
  await sql`
    with ended as (
      update payout_holds set until_at = greatest(from_at, ${at}::bigint), ended_by = 'another_hold'
      where until_at is null returning compare_from
    ), compared as (
      select coalesce(max(started_at), (select min(created_at) from payments), ${at}::bigint) as at
      from reconciliations where finished_at is not null
    )
    insert into payout_holds (cause, from_at, compare_from, audit_event_id)
    select ${cause}, ${at}, least(coalesce(${compareFrom ?? null}::bigint, compared.at), (select compare_from from ended)),
      ${auditEventId ?? null}
    from compared`.execute(tx);
}

/** Claims the next comparison of the hold. False if one was tried after `triedBefore`. */
export async function claimPayoutHold(
  queries: Queries,
  { id }: PayoutHold,
  at: Instant,
  triedBefore: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payout_holds set tried_at = ${at}
    where id = ${id} and until_at is null and (tried_at is null or tried_at <= ${triedBefore}) returning id`.execute(
    queries,
  );
  return rows.length === 1;
}

/**
 * Ends the hold and makes the waiting withdrawals due. False if it has ended. `auditEventId` is by
 * staff; null: by a comparison.
 */
export async function endPayoutHold(
  tx: Tx,
  { id }: Pick<PayoutHold, "id">,
  { at, auditEventId }: { readonly at: Instant; readonly auditEventId: bigint | null },
): Promise<boolean> {
  await lockPayoutGuard(tx);
  const { rows } = await sql`
    update payout_holds set until_at = greatest(from_at, ${at}::bigint), end_audit_event_id = ${auditEventId},
      ended_by = ${auditEventId === null ? "reconciliation" : "staff"}
    where id = ${id} and until_at is null returning id`.execute(tx);
  if (rows.length === 0) return false;
  await sql`
    update payments set next_ask_at = ${at}
    where kind in ('withdrawal', 'revenue') and step = 'held' and reason = 'awaiting_records'`.execute(tx);
  return true;
}
