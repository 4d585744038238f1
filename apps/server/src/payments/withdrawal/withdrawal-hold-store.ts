import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

interface NewWithdrawalHold {
  readonly playerId: PlayerId;
  readonly reason: string;
  readonly auditEventId: bigint;
  readonly at: Instant;
}

interface HoldInForce {
  readonly id: string;
  readonly reason: string;
}

/** The caller holds `lockLimits`. */
export async function saveWithdrawalHold(tx: Tx, hold: NewWithdrawalHold): Promise<void> {
  await sql`
    insert into withdrawal_holds (player_id, reason, from_at, audit_event_id)
    values (${hold.playerId}, ${hold.reason}, ${hold.at}, ${hold.auditEventId})`.execute(tx);
}

/** Ends the hold, and makes the withdrawals that wait for it due. The caller holds `lockLimits`. */
export async function endWithdrawalHold(
  tx: Tx,
  { playerId, auditEventId, at }: Omit<NewWithdrawalHold, "reason">,
): Promise<void> {
  await sql`
    update withdrawal_holds set until_at = ${at}, end_audit_event_id = ${auditEventId}
    where player_id = ${playerId} and until_at is null`.execute(tx);
  await sql`
    update payments set next_ask_at = ${at}
    where player_id = ${playerId} and kind = 'withdrawal' and step = 'held' and reason = 'awaiting_staff'`.execute(tx);
}

export async function loadWithdrawalHolds(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, HoldInForce>> {
  const { rows } = await sql<HoldInForce & { readonly player_id: PlayerId }>`
    select id::text, player_id, reason from withdrawal_holds
    where player_id = any(${[...playerIds]}) and until_at is null`.execute(queries);
  return new Map(rows.map(({ player_id: playerId, id, reason }) => [playerId, { id, reason }]));
}

/** Newest first, including those that have ended. */
export async function loadWithdrawalHoldsOf(
  queries: Queries,
  playerId: PlayerId,
): Promise<readonly { readonly reason: string; readonly fromAt: Instant; readonly untilAt: Instant | null }[]> {
  const { rows } = await sql<{ readonly reason: string; readonly from_at: bigint; readonly until_at: bigint | null }>`
    select reason, from_at, until_at from withdrawal_holds where player_id = ${playerId}
    order by id desc`.execute(queries);
  return rows.map(({ reason, from_at: fromAt, until_at: untilAt }) => ({
    reason,
    fromAt: Number(fromAt) as Instant,
    untilAt: untilAt === null ? null : (Number(untilAt) as Instant),
  }));
}
