import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";
import { type DepositName, originsOf } from "./origins-of.ts";

/** Where the coins of a deposit are; together all that was credited of it. */
export interface Whereabouts {
  readonly held: readonly { readonly playerId: PlayerId; readonly coins: Coins }[];
  /** What left the wallet of `playerId`: as fee of games (`win`, `draw`), by a withdrawal, … */
  readonly gone: readonly {
    readonly playerId: PlayerId;
    readonly kind: JournalEntryKind;
    /** Of a withdrawal. */
    readonly paymentId: PaymentId | null;
    readonly coins: Coins;
  }[];
}

/** Any number of games later. Coins of returned withdrawals are in the wallet again. */
export async function loadWhereabouts(queries: Queries, deposit: DepositName): Promise<Whereabouts> {
  const { rows } = await sql<{
    readonly owner: PlayerId;
    readonly kind: JournalEntryKind | null;
    readonly payment: PaymentId | null;
    readonly coins: bigint;
  }>`
    with piece as materialized (
      select piece.* from (${originsOf(deposit)}) origin join coin_pieces piece on piece.deposit_id = origin.id
    ), place as (
      select piece.wallet_id, null as kind, null as payment, piece.left_coins as coins from piece
      union all
      select piece.wallet_id, coalesce(withdrawal.kind, entry.kind), withdrawal.source, exit.coins
      from piece join coin_exits exit on exit.piece_id = piece.id
        join ledger_entries entry on entry.id = exit.entry_id
        left join ledger_entries withdrawal on withdrawal.kind = 'withdrawal' and entry.kind in ('withdrawal', 'correction')
          and withdrawal.source = split_part(entry.source, ':', 1)
      union all
      select piece.wallet_id, 'withdrawal', split_part(entry.source, ':', 1), -piece.coins
      from piece join ledger_entries entry on entry.id = piece.entry_id where piece.rank = 0
    )
    select account.owner, place.kind, place.payment, sum(place.coins)::bigint as coins
    from place join ledger_accounts account on account.id = place.wallet_id
    group by account.owner, place.kind, place.payment having sum(place.coins) <> 0
    order by 4 desc, 1, 2, 3`.execute(queries);
  return {
    held: rows
      .filter(({ kind }) => kind === null)
      .map(({ owner: playerId, coins }) => ({ playerId, coins: toCoins(coins) })),
    gone: rows.flatMap(({ owner: playerId, kind, payment: paymentId, coins }) =>
      kind === null ? [] : [{ playerId, kind, paymentId, coins: toCoins(coins) }],
    ),
  };
}
