import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, toKobo } from "@holo/kernel/money.ts";
import type { UnplayedDeposit } from "@holo/protocol/withdrawal-terms.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { type DepositUse, decideUnplayed } from "./decide-unplayed.ts";

interface DepositUseRow {
  readonly kind: "deposit" | "deposit_reversal" | "deposit_sent_back" | "withdrawal_hold";
  readonly payment_id: PaymentId;
  readonly coins: Coins;
  readonly fee_kobo: bigint | null;
  readonly unplayed: bigint | null;
  readonly balance_after: Coins;
  readonly staked: Coins;
}

/**
 * The player's deposits with coins that were never staked, oldest first (ruling 37), within a
 * balance that was loaded before. Before a withdrawal it is asked under `lockWallet`.
 */
export async function loadUnplayed(
  queries: Queries,
  playerId: PlayerId,
  balance: Coins,
): Promise<readonly UnplayedDeposit[]> {
  return decideUnplayed(await loadDepositUses(queries, playerId), balance);
}

/**
 * What happened to a player's deposits, in order. What came back is as if it never was: stakes of
 * refunded games, withdrawals whose coins were returned, reversals of deposits that were credited
 * again. Stakes without anything else between them are one.
 */
async function loadDepositUses(queries: Queries, playerId: PlayerId): Promise<readonly DepositUse[]> {
  const { rows } = await sql<DepositUseRow>`/* prepared ledger_deposit_uses */
    with own as materialized (
      select entry.id, entry.kind, entry.source, entry.settled_game, entry.details,
        abs(sum(posting.amount))::bigint as coins, max(posting.balance_after) as balance_after
      from ledger_accounts account
      join ledger_postings posting on posting.account_id = account.id
      join ledger_entries entry on entry.id = posting.entry_id
      where account.kind in ('wallet', 'debts') and account.owner = ${playerId} and entry.kind in ('deposit',
        'deposit_reversal', 'deposit_return', 'deposit_sent_back', 'stake', 'refund', 'withdrawal_hold', 'withdrawal_return')
      group by entry.id
    ), counted as (
      select own.*, own.kind <> 'stake' as is_part, count(*) filter (where own.kind <> 'stake') over (order by own.id) as part
      from own
      where own.kind in ('deposit', 'deposit_sent_back')
        or (own.kind = 'deposit_reversal'
          and not exists (select from own back where back.kind = 'deposit_return' and back.source = own.source))
        or (own.kind = 'stake' and not exists (
          select from own back where back.kind = 'refund' and back.settled_game = split_part(own.source, ':', 1)))
        or (own.kind = 'withdrawal_hold' and not exists (
          select from own back where back.kind = 'withdrawal_return' and split_part(back.source, ':', 1) = own.source))
    ), parted as (
      select part, min(id) filter (where is_part) as id, coalesce(sum(coins) filter (where not is_part), 0)::bigint as staked
      from counted where part > 0 group by part)
    select own.kind, split_part(own.source, ':', 1) as payment_id, own.coins, own.balance_after, parted.staked,
      (fee.details::jsonb ->> 'kobo')::bigint as fee_kobo, (own.details::jsonb ->> 'unplayed')::bigint as unplayed
    from parted join own on own.id = parted.id
    left join ledger_entries fee on fee.kind = 'provider_fee' and fee.source = own.source || ':fee' and own.kind = 'deposit'
    order by own.id`.execute(queries);
  return rows.flatMap((row) => {
    const use = toDepositUse(row);
    return row.staked > 0n ? [use, { type: "staked", coins: row.staked }] : [use];
  });
}

function toDepositUse(row: DepositUseRow): DepositUse {
  const { kind, payment_id: paymentId, coins, fee_kobo: fee, unplayed, balance_after: balanceAfter } = row;
  switch (kind) {
    case "deposit":
      return { type: "deposited", paymentId, coins, feeKobo: toKobo(fee ?? 0n) };
    case "deposit_reversal":
    case "deposit_sent_back":
      return { type: "taken_back", paymentId, coins };
    case "withdrawal_hold": {
      const unplayedCoins = unplayed === null ? null : toCoins(unplayed);
      return { type: "withdrawn", coins, unplayedCoins, balanceBefore: toCoins(balanceAfter + coins) };
    }
  }
}
