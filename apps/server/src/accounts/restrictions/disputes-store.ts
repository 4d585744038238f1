import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** From now on the coins of this credited deposit are disputed. The caller holds `lockLimits`. */
export async function saveDispute(
  queries: Queries,
  dispute: { readonly paymentId: PaymentId; readonly playerId: PlayerId; readonly at: Instant },
): Promise<void> {
  await sql`
    insert into deposit_disputes (payment_id, player_id, from_at)
    values (${dispute.paymentId}, ${dispute.playerId}, ${dispute.at})`.execute(queries);
}

export async function endDispute(queries: Queries, paymentId: PaymentId, at: Instant): Promise<void> {
  await sql`
    update deposit_disputes set until_at = ${at} where payment_id = ${paymentId} and until_at is null`.execute(queries);
}

export async function hasDispute(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<{ readonly has: boolean }>`
    select exists (select from deposit_disputes where player_id = ${playerId} and until_at is null) as has`.execute(
    queries,
  );
  return rows[0]?.has ?? false;
}

/** Newest first, including those that have ended. */
export async function loadDisputes(
  queries: Queries,
  playerId: PlayerId,
): Promise<readonly { readonly paymentId: PaymentId; readonly fromAt: Instant; readonly untilAt: Instant | null }[]> {
  const { rows } = await sql<{
    readonly payment_id: PaymentId;
    readonly from_at: bigint;
    readonly until_at: bigint | null;
  }>`
    select payment_id, from_at, until_at from deposit_disputes where player_id = ${playerId}
    order by id desc`.execute(queries);
  return rows.map(({ payment_id: paymentId, from_at: fromAt, until_at: untilAt }) => ({
    paymentId,
    fromAt: Number(fromAt) as Instant,
    untilAt: untilAt === null ? null : (Number(untilAt) as Instant),
  }));
}
