import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { PAYMENT_COLUMNS, type PaymentRow, parsePayment } from "./payment-row.ts";

/** Longer than any step: a call to the provider takes at most 15 seconds. */
export const CLAIM_MS = 60 * SECOND_MS;

/** Claims up to `count` due and unclaimed payments, the longest due first. */
export async function claimDue(
  queries: Queries,
  now: Instant,
  claimedUntil: Instant,
  count: number,
): Promise<readonly Payment[]> {
  const { rows } = await sql<PaymentRow>`
    update payments set claimed_until = ${claimedUntil}
    where id in (
      select id from payments
      where next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by next_attempt_at limit ${count} for no key update skip locked)
    returning ${PAYMENT_COLUMNS}`.execute(queries);
  return rows.map(parsePayment);
}

/** Claims a deposit without a checkout. False if it is claimed or has one by now. */
export async function claimUnauthorizedDeposit(
  queries: Queries,
  id: PaymentId,
  now: Instant,
  claimedUntil: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set claimed_until = ${claimedUntil}
    where id = ${id} and authorization_url is null and status = 'pending'
      and (claimed_until is null or claimed_until <= ${now}) returning id`.execute(queries);
  return rows.length === 1;
}

/**
 * Records that the provider may be sending the money, before it is ordered. False if the claim is
 * lost or the coins are not held any more.
 */
export async function saveTransferSent(
  tx: Tx,
  id: PaymentId,
  claimedUntil: Instant,
  recipientCode: string,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set sent_at = ${at}, asked_since = null, recipient_code = ${recipientCode}, updated_at = ${at}
    where id = ${id} and claimed_until = ${claimedUntil} and money = 'held' and sent_at is null
    returning id`.execute(tx);
  return rows.length === 1;
}
