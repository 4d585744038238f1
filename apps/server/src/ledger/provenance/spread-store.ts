import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
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

/** What these players won, over any number of games: still theirs, or paid to them. */
export function loadWonCoins(
  queries: Queries,
  playerIds: readonly PlayerId[],
  since: Instant,
): Promise<readonly CoinShare[]> {
  return loadShares(
    queries,
    "ledger_won_coins",
    sql`
      select account.id, account.owner from ledger_accounts account
      where account.kind = 'wallet' and account.owner = any(${[...playerIds]}::text[])`,
    sql`
      select piece.wallet_id, piece.deposit_id, piece.left_coins as held, 0::bigint as paid, null::timestamptz as at
      from wallet join coin_pieces piece on piece.wallet_id = wallet.id and not piece.is_spent
      where piece.hops > 0
      union all
      select piece.wallet_id, piece.deposit_id, 0, exit.coins, entry.at
      from wallet join ledger_player_lines line on line.account_id = wallet.id
        join ledger_entries entry on entry.id = line.entry_id and entry.kind in ('withdrawal', 'closing_remainder')
        join coin_exits exit on exit.entry_id = entry.id
        join coin_pieces piece on piece.id = exit.piece_id
      where piece.hops > 0
      union all
      select piece.wallet_id, piece.deposit_id, 0, -piece.coins, entry.at
      from wallet join ledger_player_lines line on line.account_id = wallet.id
        join ledger_entries entry on entry.id = line.entry_id and entry.kind = 'withdrawal_return'
        join coin_pieces piece on piece.entry_id = entry.id
      where piece.hops > 0 and piece.rank = 0`,
    since,
  );
}

/** Who has the coins of these deposits, their depositors included. */
export function loadSpread(
  queries: Queries,
  depositIds: readonly bigint[],
  since: Instant,
): Promise<readonly CoinShare[]> {
  return loadShares(
    queries,
    "ledger_spread",
    sql`select account.id, account.owner from ledger_accounts account
      where account.id in (select piece.wallet_id from piece)`,
    sql`
      select piece.wallet_id, piece.deposit_id, piece.left_coins as held, 0::bigint as paid, null::timestamptz as at
      from piece where piece.left_coins > 0
      union all
      select piece.wallet_id, piece.deposit_id, 0, exit.coins, entry.at
      from piece join coin_exits exit on exit.piece_id = piece.id
        join ledger_entries entry on entry.id = exit.entry_id and entry.kind in ('withdrawal', 'closing_remainder')
      union all
      select piece.wallet_id, piece.deposit_id, 0, -piece.coins, entry.at
      from piece join ledger_entries entry on entry.id = piece.entry_id where piece.rank = 0`,
    since,
    sql`piece as materialized (
      select * from coin_pieces where deposit_id = any(${depositIds.map(String)}::bigint[])), `,
  );
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

async function loadShares(
  queries: Queries,
  name: string,
  wallets: RawBuilder<unknown>,
  parts: RawBuilder<unknown>,
  since: Instant,
  before: RawBuilder<unknown> = sql``,
): Promise<readonly CoinShare[]> {
  const { rows } = await sql<{
    readonly owner: PlayerId;
    readonly deposit_id: bigint;
    readonly depositor: PlayerId;
    readonly deposited: bigint;
    readonly held: bigint;
    readonly paid: bigint;
    readonly paid_lately: bigint;
  }>`${sql.raw(`/* prepared ${name} */`)}
    with ${before}wallet as materialized (${wallets}), part as (${parts}), share as materialized (
      select part.wallet_id, part.deposit_id, sum(part.held)::bigint as held, sum(part.paid)::bigint as paid,
        coalesce(sum(part.paid) filter (where part.at > ${toTimestamp(since)}), 0)::bigint as paid_lately
      from part group by part.wallet_id, part.deposit_id having sum(part.held) + sum(part.paid) > 0)
    select wallet.owner, share.deposit_id, depositor.owner as depositor, first.coins as deposited,
      share.held, share.paid, share.paid_lately
    from share join wallet on wallet.id = share.wallet_id
      join coin_pieces first on first.id = share.deposit_id
      join ledger_accounts depositor on depositor.id = first.wallet_id
    order by share.held + share.paid desc, share.deposit_id, wallet.owner`.execute(queries);
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
