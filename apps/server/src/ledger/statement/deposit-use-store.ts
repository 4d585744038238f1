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
 * balance loaded before. For a withdrawal, load it under `lockWallet`.
 */
export async function loadUnplayed(
  queries: Queries,
  playerId: PlayerId,
  balance: Coins,
): Promise<readonly UnplayedDeposit[]> {
  return decideUnplayed(await loadDepositUses(queries, playerId), balance);
}

/**
 * What happened to a player's deposits, in order, without what was undone. Consecutive stakes are
 * one row, computed from the wallet's balances, so the entries of games are not read.
 */
async function loadDepositUses(queries: Queries, playerId: PlayerId): Promise<readonly DepositUse[]> {
  const { rows } = await sql<DepositUseRow>`/* prepared ledger_deposit_uses */
    with own as materialized (
      select entry.id, entry.kind, entry.source, entry.settled_game, entry.details,
        abs(sum(posting.amount))::bigint as coins, max(posting.balance_after) as balance_after,
        -min(posting.amount) filter (where account.kind = 'wallet' and posting.amount < 0) as taken
      from ledger_accounts account
      join ledger_player_lines line on line.account_id = account.id
      join ledger_postings posting on posting.account_id = line.account_id and posting.entry_id = line.entry_id
      join ledger_entries entry on entry.id = line.entry_id
      where account.kind in ('wallet', 'debts') and account.owner = ${playerId}
      group by entry.id
    ), counted as materialized (
      select own.*, row_number() over (order by own.id) as part
      from own
      where own.kind in ('deposit', 'deposit_sent_back')
        or (own.kind = 'deposit_reversal'
          and not exists (select from own back where back.kind = 'deposit_return' and back.source = own.source))
        or (own.kind = 'withdrawal_hold' and not exists (
          select from own back where back.kind = 'withdrawal_return' and split_part(back.source, ':', 1) = own.source))
    ), wallet as (
      select id from ledger_accounts where kind = 'wallet' and owner = ${playerId}
    ), gone as (
      select posting.entry_id as id, -posting.amount as coins from ledger_postings posting
      where posting.account_id = (select id from wallet) and posting.amount < 0
        and posting.entry_id > (select min(id) from counted)
      union all
      select id, -taken from own where taken is not null
      union all
      select stake.id, (select posting.amount from ledger_postings posting
        where posting.entry_id = stake.id and posting.account_id = (select id from wallet))
      from own back cross join lateral (values (':1'), (':2')) as seat (suffix)
      join ledger_entries stake on stake.kind = 'stake' and stake.source = back.settled_game || seat.suffix
      where back.kind = 'refund'
    ), parted as materialized (
      select width_bucket(id, (select array_agg(id order by id) from counted)) as part, sum(coins)::bigint as staked
      from gone where id > (select min(id) from counted) group by 1)
    select counted.kind, split_part(counted.source, ':', 1) as payment_id, counted.coins, counted.balance_after,
      coalesce(parted.staked, 0)::bigint as staked, (fee.details::jsonb ->> 'kobo')::bigint as fee_kobo,
      (counted.details::jsonb ->> 'unplayed')::bigint as unplayed
    from counted left join parted on parted.part = counted.part
    left join ledger_entries fee
      on fee.kind = 'provider_fee' and fee.source = counted.source || ':fee' and counted.kind = 'deposit'
    order by counted.id`.execute(queries);
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
