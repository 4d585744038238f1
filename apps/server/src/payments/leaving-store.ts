import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Tx } from "../platform/database.ts";
import type { PaymentRow } from "./payment-row.ts";

/** Whether any payment of the player has still to come to its end. All of them are locked, as each is before its coins are. */
export async function lockUnfinished(tx: Tx, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<Pick<PaymentRow, "status" | "money">>`
    select status, money from payments where player_id = ${playerId} order by id for update`.execute(tx);
  return rows.some(({ status, money }) => ["pending", "processing", "review"].includes(status) || money === "held");
}

/**
 * Removes from a player's payments whose bank account they went to and what the provider said of the payer; sums, times and references stay,
 * as the books need them. The caller has looked that all have come to their end.
 */
export async function removePayer(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from bank_accounts where player_id = ${playerId}`.execute(tx);
  await sql`
    update payment_inbox set body = '{}' where reference in (select reference from payments where player_id = ${playerId})`.execute(
    tx,
  );
  await sql`
    update payments set provider = null, authorization_url = null, recipient_code = null,
      account_number = case when account_number is null then null else '0000000000' end,
      account_name = case when account_name is null then null else '' end
    where player_id = ${playerId}`.execute(tx);
}
