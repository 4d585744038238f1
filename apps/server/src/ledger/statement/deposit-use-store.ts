import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, toKobo } from "@holo/kernel/money.ts";
import type { UnplayedDeposit } from "@holo/protocol/payments/withdrawal-terms.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { type DepositUse, decideUnplayed } from "./decide-unplayed.ts";

interface DepositUseRow {
  readonly use: "deposited" | "taken_back" | "withdrawn";
  readonly payment_id: PaymentId;
  readonly coins: Coins;
  readonly fee_kobo: bigint | null;
  readonly rate_kobo: number;
  readonly is_card: boolean;
  readonly unplayed: bigint;
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
 * What happened to a player's deposits, in order, without what was undone. It begins where the
 * stakes since then exceed all deposits: no coin of an older deposit is left unstaked.
 */
async function loadDepositUses(queries: Queries, playerId: PlayerId): Promise<readonly DepositUse[]> {
  // Stakes that were not refunded. Walked from the newest, because a player of years has thousands.
  const stakes = sql`
    ledger_postings posting
    join ledger_entries stake on stake.id = posting.entry_id and stake.kind = 'stake'
    where posting.account_id = (select id from wallet) and posting.amount < 0 and not exists (
      select from ledger_entries refund
      where refund.kind = 'refund' and refund.settled_game = split_part(stake.source, ':', 1))`;
  const { rows } = await sql<DepositUseRow>`/* prepared ledger_deposit_uses */
    with own as materialized (
      select entry.id, entry.kind, entry.source, entry.details,
        abs(sum(posting.amount))::bigint as coins, sum(posting.amount) > 0 as is_gain, split_part(entry.source, ':', 1) as payment
      from ledger_accounts account
      join ledger_player_lines line on line.account_id = account.id
      join ledger_entries entry on entry.id = line.entry_id and entry.kind <> 'refund'
      join ledger_postings posting on posting.account_id = line.account_id and posting.entry_id = line.entry_id
      where account.kind in ('wallet', 'debts') and account.owner = ${playerId}
      group by entry.id
    ), counted as materialized (
      select own.*, case when own.kind = 'withdrawal' then 'withdrawn' when own.is_gain then 'deposited' else 'taken_back' end as use
      from own
      where own.kind in ('deposit', 'deposit_taken')
        or (own.kind = 'correction' and own.details::jsonb ? 'keptKobo')
        or (own.kind = 'withdrawal' and not exists (
          select from own back where back.kind in ('withdrawal_return', 'correction') and back.is_gain and back.payment = own.payment))
    ), wallet as (
      select id from ledger_accounts where kind = 'wallet' and owner = ${playerId}
    ), taken_back as (
      select coalesce(max(id), 0) as last_id, coalesce(sum(coins), 0) as coins
      from counted where use = 'taken_back'
    ), exceeded as (
      select newest.id from (
        select posting.entry_id as id, -sum(posting.amount) over (order by posting.entry_id desc) as staked from ${stakes}
      ) newest
      where newest.staked >= (select sum(coins) from counted where use = 'deposited')
      order by newest.id desc limit 1
    ), beginning as (
      -- What was taken back after it was staked must have been replaced by later deposits.
      select exceeded.id from exceeded, taken_back
      where taken_back.coins <= coalesce((select sum(deposit.coins) from counted deposit
        where deposit.use = 'deposited' and deposit.id > taken_back.last_id and deposit.id < exceeded.id), 0)
    ), relevant as materialized (
      select counted.*, row_number() over (order by counted.id) as part
      from counted where counted.id > coalesce((select id from beginning), 0)
    ), parted as materialized (
      select width_bucket(posting.entry_id, (select array_agg(id order by id) from relevant)) as part,
        -sum(posting.amount)::bigint as staked
      from ${stakes} and posting.entry_id > (select min(id) from relevant)
      group by 1)
    select relevant.use, relevant.payment as payment_id, relevant.coins,
      coalesce(parted.staked, 0)::bigint as staked, (fee.details::jsonb ->> 'kobo')::bigint as fee_kobo,
      coalesce((relevant.details::jsonb ->> 'unplayed')::bigint, 0) as unplayed,
      (relevant.details::jsonb ->> 'rateKobo')::int as rate_kobo,
      coalesce(relevant.details::jsonb ->> 'channel' = 'card', false) as is_card
    from relevant left join parted on parted.part = relevant.part
    left join ledger_entries fee
      on fee.kind = 'provider_fee' and fee.source = relevant.source || ':fee' and relevant.kind = 'deposit'
    order by relevant.id`.execute(queries);
  return rows.flatMap((row) => {
    const use = toDepositUse(row);
    return row.staked > 0n ? [use, { type: "staked", coins: row.staked }] : [use];
  });
}

function toDepositUse(row: DepositUseRow): DepositUse {
  const { use, payment_id: paymentId, coins, fee_kobo: fee, rate_kobo: rateKobo, is_card: isCard, unplayed } = row;
  switch (use) {
    case "deposited":
      return { type: "deposited", paymentId, coins, feeKobo: toKobo(fee ?? 0n), rateKobo, isCard };
    case "taken_back":
      return { type: "taken_back", paymentId, coins };
    case "withdrawn":
      return { type: "withdrawn", unplayedCoins: toCoins(unplayed) };
  }
}
