import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

interface Webhook {
  readonly event: string;
  readonly reference: string;
  readonly body: string;
}

/**
 * False where this event of this payment was handled before. `isDisputeOver`: true for a declined
 * dispute, false for a lost one, else null.
 */
export async function saveWebhook(
  tx: Tx,
  webhook: Webhook & { readonly isDisputeOver: boolean | null },
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql<{ readonly handled_at: bigint | null }>`
    insert into payment_inbox (event, reference, body, is_dispute_over, received_at)
    values (${webhook.event}, ${webhook.reference}, ${webhook.body}, ${webhook.isDisputeOver}, ${at})
    on conflict (event, reference) do update set event = excluded.event
    returning handled_at`.execute(tx);
  return rows[0]?.handled_at === null;
}

export async function markHandled(
  tx: Tx,
  { event, reference }: Pick<Webhook, "event" | "reference">,
  at: Instant,
): Promise<void> {
  await sql`
    update payment_inbox set handled_at = ${at} where event = ${event} and reference = ${reference}`.execute(tx);
}

interface StoredWebhook {
  readonly id: bigint;
  readonly event: string;
  readonly reference: string;
  readonly body: string;
  readonly receivedAt: Instant;
  readonly handledAt: Instant | null;
}

const STORED = sql`id, event, reference, body, received_at::float8 as "receivedAt", handled_at::float8 as "handledAt"`;

export async function loadWebhook(queries: Queries, id: bigint): Promise<StoredWebhook | null> {
  const { rows } = await sql<StoredWebhook>`select ${STORED} from payment_inbox where id = ${id}`.execute(queries);
  return rows[0] ?? null;
}

export async function listWebhooks(queries: Queries, reference: string): Promise<readonly StoredWebhook[]> {
  const { rows } = await sql<StoredWebhook>`
    select ${STORED} from payment_inbox where reference = ${reference} order by id`.execute(queries);
  return rows;
}

const REMOVED_BODY = "{}";

/** Deletes the texts of handled webhooks. Their rows remain and make a repeat harmless. */
export async function removeOldWebhookBodies(queries: Queries, before: Instant): Promise<void> {
  await sql`
    update payment_inbox set body = ${REMOVED_BODY}
    where handled_at < ${before} and body <> '{}'`.execute(queries);
}
