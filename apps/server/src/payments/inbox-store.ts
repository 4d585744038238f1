import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Tx } from "../platform/database.ts";

export interface Webhook {
  readonly event: string;
  readonly reference: string;
  /** As it was signed. */
  readonly body: string;
}

/** Keeps the webhook; false where this event of this payment came before and was handled. */
export async function saveWebhook(tx: Tx, webhook: Webhook, at: Instant): Promise<boolean> {
  const { rows } = await sql<{ readonly handled_at: bigint | null }>`
    insert into payment_inbox (event, reference, body, received_at)
    values (${webhook.event}, ${webhook.reference}, ${webhook.body}, ${at})
    on conflict (event, reference) do update set event = excluded.event
    returning handled_at`.execute(tx);
  return rows[0]?.handled_at === null;
}

export async function markHandled(tx: Tx, { event, reference }: Webhook, at: Instant): Promise<void> {
  await sql`
    update payment_inbox set handled_at = ${at} where event = ${event} and reference = ${reference}`.execute(tx);
}
