import type { PlayerId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { Payment } from "../payment.ts";
import { PAYMENT_COLUMNS, type PaymentRow, parsePayment } from "../store/payment-row.ts";

/** Locks all payments of the player and returns whether any is unfinished. */
export async function lockAndCheckUnfinished(tx: Tx, playerId: PlayerId): Promise<boolean> {
  const { rows } = await sql<PaymentRow>`
    select ${PAYMENT_COLUMNS} from payments where player_id = ${playerId} order by id for update`.execute(tx);
  return rows.map(parsePayment).some(isUnfinished);
}

/** A refund in progress too: if it fails, its player must still be known. */
function isUnfinished({ status, step }: Payment): boolean {
  const isOpen = status === "pending" || status === "processing" || status === "review";
  return isOpen || step === "refunding" || step === "with_staff" || step === "held" || step === "sent";
}

/** Replaces the account number of a deleted player's payments. */
export const ERASED_ACCOUNT_NUMBER = "0000000000";

/**
 * Erases bank accounts from finished payments. Keeps sums, times and
 * references, and the provider's code of the last paid account, for money that its bank returns.
 */
export async function erasePaymentDetails(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from bank_accounts where player_id = ${playerId}`.execute(tx);
  await sql`
    update payments set authorization_url = null,
      recipient_code = case when id = (
        select id from payments where player_id = ${playerId} and kind = 'withdrawal' and step = 'paid'
        order by created_at desc, id limit 1) then recipient_code end,
      account_number = case when account_number is null then null else ${ERASED_ACCOUNT_NUMBER} end,
      account_name = case when account_name is null then null else '' end
    where player_id = ${playerId}`.execute(tx);
}

export interface LastPayee {
  readonly bankCode: string;
  readonly bankName: string;
  readonly recipientCode: string;
}

/** Omits players without a stored code. */
export async function loadLastPayees(
  queries: Queries,
  playerIds: readonly PlayerId[],
): Promise<ReadonlyMap<PlayerId, LastPayee>> {
  const { rows } = await sql<{
    readonly player_id: PlayerId;
    readonly bank_code: string;
    readonly bank_name: string;
    readonly recipient_code: string;
  }>`
    select distinct on (player_id) player_id, bank_code, bank_name, recipient_code from payments
    where player_id = any(${[...playerIds]}) and kind = 'withdrawal' and recipient_code is not null
    order by player_id, created_at desc, id`.execute(queries);
  return new Map(
    rows.map((row) => [
      row.player_id,
      { bankCode: row.bank_code, bankName: row.bank_name, recipientCode: row.recipient_code },
    ]),
  );
}
