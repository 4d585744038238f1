import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/**
 * Whether the next withdrawal of unplayed coins from a card is the first one and waits (ruling 51):
 * none that waited has been paid. Which coins those are: `decideUnplayed`.
 */
export async function isFirstFromCard(queries: Queries, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql`
    select from payments payment
    where payment.player_id = ${playerId} and payment.kind = 'withdrawal' and payment.step = 'paid' and exists (
      select from payment_facts fact
      where fact.payment_id = payment.id and fact.type = 'waits' and fact.outcome = 'first')
    limit 1`.execute(queries);
  return rows.length === 0;
}
