import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type RawBuilder, sql } from "kysely";

export interface DepositName {
  readonly paymentId: PaymentId;
  readonly playerId: PlayerId;
}

/**
 * The pieces that a deposit began: one for its credit, and one for each time that staff gave coins
 * of it again.
 */
export function originsOf({ paymentId, playerId }: DepositName): RawBuilder<{ readonly id: bigint }> {
  return sql`
    select first.id, first.entry_id, first.coins from ledger_accounts account
      join ledger_player_lines line on line.account_id = account.id
      join ledger_entries entry on entry.id = line.entry_id and entry.kind in ('deposit', 'correction')
        and split_part(entry.source, ':', 1) = ${paymentId}
      join coin_pieces first on first.entry_id = entry.id and first.parent_id is null
    where account.kind = 'wallet' and account.owner = ${playerId}`;
}
