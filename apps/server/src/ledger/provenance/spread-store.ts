import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";

/** Coins of one deposit that one player has or was paid. */
export interface CoinShare {
  readonly playerId: PlayerId;
  /** The origin's piece, and whose it was. */
  readonly depositId: bigint;
  readonly depositorId: PlayerId;
  /** All coins of the origin. */
  readonly deposited: Coins;
  readonly held: Coins;
  /** Withdrawn and not returned. */
  readonly paid: Coins;
  /** Of `paid`, since the instant that was asked for. */
  readonly paidLately: Coins;
}

/** Coins of one depositor's that another player won: still theirs, or paid to them. */
export interface WonCoins {
  readonly playerId: PlayerId;
  readonly depositorId: PlayerId;
  readonly coins: Coins;
}

/** Of each player, the newest: weeks of three a day. What was paid earlier was judged then. */
const WITHDRAWALS_MAX = 100;

/** What these players won, over any number of games. */
export async function loadWonCoins(queries: Queries, playerIds: readonly PlayerId[]): Promise<readonly WonCoins[]> {
  const { rows } = await sql<{ readonly owner: PlayerId; readonly depositor: PlayerId; readonly coins: bigint }>`
    /* prepared ledger_won_coins */
    with wallet as materialized (
      select account.id, account.owner from ledger_accounts account
      where account.kind = 'wallet' and account.owner = any(${[...playerIds]}::text[])
    ), line as materialized (
      select wallet.id as wallet_id, newest.entry_id, newest.kind from wallet cross join lateral (
        select line.entry_id, entry.kind from ledger_player_lines line join ledger_entries entry on entry.id = line.entry_id
        where line.account_id = wallet.id and entry.kind in ('withdrawal', 'closing_remainder', 'withdrawal_return')
        order by line.entry_id desc limit ${WITHDRAWALS_MAX}) newest
    ), part as (
      select piece.wallet_id, piece.deposit_id, piece.left_coins as coins
      from wallet join coin_pieces piece on piece.wallet_id = wallet.id and not piece.is_spent
      where piece.hops > 0
      union all
      select line.wallet_id, piece.deposit_id, exit.coins
      from line join coin_exits exit on exit.entry_id = line.entry_id
        join coin_pieces piece on piece.id = exit.piece_id
      where line.kind <> 'withdrawal_return' and piece.hops > 0
      union all
      select line.wallet_id, piece.deposit_id, -piece.coins
      from line join coin_pieces piece on piece.entry_id = line.entry_id
      where line.kind = 'withdrawal_return' and piece.hops > 0 and piece.rank = 0
    ), share as materialized (
      select wallet_id, deposit_id, sum(coins) as coins from part group by wallet_id, deposit_id
    ), won as materialized (
      select share.wallet_id, first.wallet_id as depositor_id, sum(share.coins)::bigint as coins
      from share join coin_pieces first on first.id = share.deposit_id
      where first.wallet_id <> share.wallet_id
      group by share.wallet_id, first.wallet_id having sum(share.coins) > 0)
    select wallet.owner, depositor.owner as depositor, won.coins
    from won join wallet on wallet.id = won.wallet_id
      join ledger_accounts depositor on depositor.id = won.depositor_id`.execute(queries);
  return rows.map(({ owner, depositor, coins }) => ({
    playerId: owner,
    depositorId: depositor,
    coins: toCoins(coins),
  }));
}

/** Who has the coins of these deposits, their depositors included. */
export async function loadSpread(
  queries: Queries,
  depositIds: readonly bigint[],
  since: Instant,
): Promise<readonly CoinShare[]> {
  const { rows } = await sql<{
    readonly owner: PlayerId;
    readonly deposit_id: bigint;
    readonly depositor: PlayerId;
    readonly deposited: bigint;
    readonly held: bigint;
    readonly paid: bigint;
    readonly paid_lately: bigint;
  }>`/* prepared ledger_spread */
    with piece as materialized (
      select * from coin_pieces where deposit_id = any(${depositIds.map(String)}::bigint[])
    ), part as (
      select wallet_id, deposit_id, left_coins as held, 0::bigint as paid, null::timestamptz as at
      from piece where left_coins > 0
      union all
      select piece.wallet_id, piece.deposit_id, 0, exit.coins, entry.at
      from piece join coin_exits exit on exit.piece_id = piece.id
        join ledger_entries entry on entry.id = exit.entry_id and entry.kind in ('withdrawal', 'closing_remainder')
      union all
      select piece.wallet_id, piece.deposit_id, 0, -piece.coins, entry.at
      from piece join ledger_entries entry on entry.id = piece.entry_id where piece.rank = 0
    ), share as materialized (
      select wallet_id, deposit_id, sum(held)::bigint as held, sum(paid)::bigint as paid,
        coalesce(sum(paid) filter (where at > ${toTimestamp(since)}), 0)::bigint as paid_lately
      from part group by wallet_id, deposit_id having sum(held) + sum(paid) > 0)
    select holder.owner, share.deposit_id, depositor.owner as depositor, first.coins as deposited,
      share.held, share.paid, share.paid_lately
    from share join ledger_accounts holder on holder.id = share.wallet_id
      join coin_pieces first on first.id = share.deposit_id
      join ledger_accounts depositor on depositor.id = first.wallet_id
    order by share.held + share.paid desc, share.deposit_id, holder.owner`.execute(queries);
  return rows.map((row) => ({
    playerId: row.owner,
    depositId: row.deposit_id,
    depositorId: row.depositor,
    deposited: toCoins(row.deposited),
    held: toCoins(row.held),
    paid: toCoins(row.paid),
    paidLately: toCoins(row.paid_lately),
  }));
}

/** Who won coins of others in a span of time. */
export async function listWinners(queries: Queries, from: Instant, to: Instant): Promise<readonly PlayerId[]> {
  const { rows } = await sql<{ readonly owner: PlayerId }>`
    select distinct wallet.owner from ledger_entries entry
      join coin_pieces piece on piece.entry_id = entry.id and piece.hops > 0 and piece.rank = entry.id
      join ledger_accounts wallet on wallet.id = piece.wallet_id
    where entry.at > ${toTimestamp(from)} and entry.at <= ${toTimestamp(to)} order by wallet.owner`.execute(queries);
  return rows.map(({ owner }) => owner);
}
