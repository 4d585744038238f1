import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { loadPayments } from "./payment-store.ts";

/** Withdrawals that wait, or waited and are not sent yet, because their coins are marked. */
const CHECKED = sql`kind = 'withdrawal' and step = 'held' and exists (select from payment_facts fact
  where fact.payment_id = payments.id and fact.type = 'waits' and fact.outcome = 'fair_play')`;

/** Withdrawals that were not ordered yet, oldest first. */
export function loadUnsent(queries: Queries, playerId: PlayerId): Promise<readonly Payment[]> {
  return loadPayments(
    queries,
    sql`where player_id = ${playerId} and kind = 'withdrawal' and step = 'held' order by created_at, id`,
  );
}

/** Marks ended before their time: they are due at once. Null: of all players. */
export async function recheckChecked(tx: Tx, playerId: PlayerId | null, at: Instant): Promise<void> {
  const owned = playerId === null ? sql`status = 'pending'` : sql`player_id = ${playerId}`;
  await sql`update payments set next_ask_at = ${at} where ${owned} and ${CHECKED}`.execute(tx);
}
