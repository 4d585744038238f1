import type { PaymentId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from "./payment-row.ts";

/** Takes up to `count` payments that are due and in nobody's hands, the longest due first, for as long as the claim. */
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
  return rows.map(toPayment);
}

/** Takes this deposit for as long as the claim; false where somebody has it, or has begun it at the provider meanwhile. */
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
 * Notes, before the provider is told, that it may be paying this out from now on: only its word can say otherwise. False where the payment
 * is in other hands by now, or its coins are not held any more.
 */
export async function saveTransferSent(
  queries: Queries,
  id: PaymentId,
  claimedUntil: Instant,
  recipientCode: string,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set sent_at = ${at}, asked_since = null, recipient_code = ${recipientCode}, updated_at = ${at}
    where id = ${id} and claimed_until = ${claimedUntil} and money = 'held' and sent_at is null
    returning id`.execute(queries);
  return rows.length === 1;
}
