import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { isJsonObject, parseJsonObject } from "./json.ts";
import type { Disputes } from "./provider-status.ts";

const END = "charge.dispute.resolve";

/** A charge can be disputed more than once, so the dispute's number is part of the event's name. */
export function toDisputeEvent(event: string, disputeId: bigint | null): string {
  return disputeId === null ? event : `${event}:${disputeId}`;
}

interface DisputeRow {
  readonly event: string;
  readonly body: string;
  readonly isOver: boolean | null;
  readonly receivedAt: Instant;
}

/** A lost dispute counts until the charge is reversed, since the bank takes the money later. */
export async function loadDisputes(queries: Queries, reference: string): Promise<Disputes> {
  const { rows } = await sql<DisputeRow>`
    select event, body, is_dispute_over as "isOver", received_at::float8 as "receivedAt"
    from payment_inbox where reference = ${reference} and event like 'charge.dispute.%'`.execute(queries);
  const ends = rows.filter(isEnd);
  const ended = new Set(ends.map(toNumber));
  return {
    hasOpenDispute: rows.some((row) => !isEnd(row) && !ended.has(toNumber(row))),
    disputeLostAt: findNewest(ends.filter(isPending)),
    disputeWonAt: findNewest(ends.filter(isWon)),
  };
}

function findNewest(ends: readonly DisputeRow[]): Instant | null {
  return ends.length === 0 ? null : (Math.max(...ends.map(({ receivedAt }) => receivedAt)) as Instant);
}

function isEnd({ event }: DisputeRow): boolean {
  return event.split(":")[0] === END;
}

function toNumber({ event }: DisputeRow): string {
  return event.split(":")[1] ?? "";
}

function isPending({ isOver }: DisputeRow): boolean {
  return isOver === false;
}

/** False for an erased text. */
function isWon({ body }: DisputeRow): boolean {
  const data = parseJsonObject(body)?.data;
  return isJsonObject(data) && data.resolution === "declined";
}

/** Whether this dispute's end was handled before its start. */
export async function isDisputeEnded(tx: Tx, event: string, reference: string): Promise<boolean> {
  const { rows } = await sql`
    select from payment_inbox
    where reference = ${reference} and event like 'charge.dispute.%' and split_part(event, ':', 1) = ${END}
      and handled_at is not null and split_part(event, ':', 2) = split_part(${event}, ':', 2)`.execute(tx);
  return rows.length > 0;
}

/** Called once the provider reports the charge as reversed, or staff have decided on it. */
export async function endLostDisputes(tx: Tx, reference: string): Promise<void> {
  await sql`
    update payment_inbox set is_dispute_over = true
    where reference = ${reference} and event like 'charge.dispute.%' and split_part(event, ':', 1) = ${END}
      and is_dispute_over is not true`.execute(tx);
}
