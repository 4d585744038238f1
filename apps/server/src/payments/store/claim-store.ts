import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
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
      where next_ask_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by next_ask_at limit ${count} for no key update skip locked)
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
 * Whether the caller's claim still holds: a webhook or another step ends it. The caller holds the
 * lock.
 */
export async function hasClaim(queries: Queries, id: PaymentId, claimedUntil: Instant): Promise<boolean> {
  const { rows } = await sql`
    select from payments where id = ${id} and claimed_until = ${claimedUntil}`.execute(queries);
  return rows.length === 1;
}
