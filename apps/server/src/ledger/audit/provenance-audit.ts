import { sql } from "kysely";
import { holds, type Invariant } from "../../platform/database/invariant.ts";
import { keepsSampledStacks } from "../provenance/sampled-stacks.ts";
import { ACCOUNT_NAME, ENTRY_NAME } from "./payment-audit.ts";

/** SQL that names a row of `coin_pieces`, aliased `piece`, in a finding. */
const PIECE_NAME = sql`'piece ' || piece.id || ' of entry ' || piece.entry_id`;

/** What entries move by wallet: of a game, what it pays less the stake. */
const CHANGES = sql`
  select moved.entry_id, moved.wallet_id, sum(moved.amount) as amount from (
    select entry.id as entry_id, posting.account_id as wallet_id, posting.amount
    from ledger_entries entry
      join ledger_postings posting on posting.entry_id = entry.id
      join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
    where entry.kind <> 'stake'
    union all
    select settled.id, posting.account_id, posting.amount
    from ledger_entries stake
      join ledger_postings posting on posting.entry_id = stake.id and posting.amount < 0
      join ledger_entries settled on settled.settled_game = split_part(stake.source, ':', 1)
    where stake.kind = 'stake') as moved
  group by moved.entry_id, moved.wallet_id`;

export const provenanceInvariants: readonly Invariant[] = [
  holds(
    "each piece's coins are left, went to others or went out",
    sql`
      select ${PIECE_NAME} || ': ' || piece.coins || ' coins, left ' || piece.left_coins || ', given ' || coalesce(child.coins, 0)
        || ', out ' || coalesce(exit.coins, 0) as found
      from coin_pieces piece
        left join (select parent_id, sum(coins) as coins from coin_pieces where rank > 0 and parent_id is not null
          group by parent_id) child on child.parent_id = piece.id
        left join (select piece_id, sum(coins) as coins from coin_exits group by piece_id) exit on exit.piece_id = piece.id
      where piece.coins <> piece.left_coins + coalesce(child.coins, 0) + coalesce(exit.coins, 0)
      order by piece.id`,
  ),
  holds(
    "a piece keeps its parent's origin: one hop further if it was won, as before if it came back or was forfeited",
    sql`
      select ${PIECE_NAME} || ' (' || coalesce(entry.kind, 'no entry') || '): ' || piece.hops || ' hops from ' || piece.deposit_id
        || ', its parent ' || coalesce(parent.hops || ' from ' || parent.deposit_id, 'is missing') as found
      from coin_pieces piece
        left join coin_pieces parent on parent.id = piece.parent_id
        left join ledger_entries entry on entry.id = piece.entry_id
      where entry.id is null or case
        when piece.parent_id is null then piece.hops <> 0 or piece.rank = 0 or entry.kind in ('win', 'forfeit')
          or piece.gained_entry <> piece.entry_id
        when parent.id is null or piece.deposit_id <> parent.deposit_id or piece.entry_id <= parent.entry_id then true
        when piece.rank = 0 then piece.wallet_id <> parent.wallet_id or piece.hops <> parent.hops
          or piece.gained_entry <> parent.gained_entry
          or entry.kind not in ('withdrawal_return', 'correction')
        else piece.wallet_id = parent.wallet_id or entry.kind not in ('win', 'forfeit')
          or piece.hops <> parent.hops + (entry.kind = 'win')::int
          or piece.gained_entry is distinct from case entry.kind when 'win' then piece.entry_id else (
            with recursive line as (
              select parent.wallet_id, parent.parent_id, parent.gained_entry
              union all
              select above.wallet_id, above.parent_id, above.gained_entry from line join coin_pieces above on above.id = line.parent_id
              where line.wallet_id <> piece.wallet_id)
            select line.gained_entry from line where line.wallet_id = piece.wallet_id) end end
      order by piece.id`,
  ),
  holds(
    "the pieces of a wallet add up to its balance and open stakes",
    sql`
      select ${ACCOUNT_NAME} || ': pieces ' || coalesce(held.coins, 0) || ', balance ' || account.balance || ', staked '
        || coalesce(open.coins, 0) as found
      from ledger_accounts account
        left join (select wallet_id, sum(left_coins) as coins from coin_pieces group by wallet_id) held on held.wallet_id = account.id
        left join (
          select posting.account_id, -sum(posting.amount) as coins
          from ledger_entries stake
            join ledger_postings posting on posting.entry_id = stake.id and posting.amount < 0
            left join ledger_entries settled on settled.settled_game = split_part(stake.source, ':', 1)
          where stake.kind = 'stake' and settled.id is null
          group by posting.account_id) open on open.account_id = account.id
      where account.kind = 'wallet' and coalesce(held.coins, 0) <> account.balance + coalesce(open.coins, 0)
      order by account.id`,
  ),
  holds(
    "the pieces and exits of an entry are what it moves, wallet by wallet",
    sql`
      with moved as (
        select entry_id, wallet_id, sum(coins) as amount from (
          select entry_id, wallet_id, coins from coin_pieces
          union all
          select child.entry_id, parent.wallet_id, -child.coins
          from coin_pieces child join coin_pieces parent on parent.id = child.parent_id where child.rank > 0
          union all
          select exit.entry_id, piece.wallet_id, -exit.coins
          from coin_exits exit left join coin_pieces piece on piece.id = exit.piece_id) as each
        group by entry_id, wallet_id)
      select 'entry ' || coalesce(change.entry_id, moved.entry_id) || ' moves ' || coalesce(change.amount, 0)
        || ' of wallet ' || coalesce(change.wallet_id, moved.wallet_id, 0) || ', its pieces ' || coalesce(moved.amount, 0) as found
      from (${CHANGES}) as change
        full join moved on moved.entry_id = change.entry_id and moved.wallet_id = change.wallet_id
      where coalesce(change.amount, 0) <> coalesce(moved.amount, 0)
      order by coalesce(change.entry_id, moved.entry_id)`,
  ),
  holds(
    "coins come back from the withdrawal that took them, once",
    sql`
      with returned as (
        select piece.parent_id, split_part(entry.source, ':', 1) as payment, max(entry.id) as entry_id, sum(piece.coins) as coins
        from coin_pieces piece join ledger_entries entry on entry.id = piece.entry_id where piece.rank = 0 group by 1, 2
      ), taken as (
        select exit.piece_id, split_part(entry.source, ':', 1) as payment, min(entry.id) as entry_id, sum(exit.coins) as coins
        from coin_exits exit join ledger_entries entry on entry.id = exit.entry_id and entry.kind in ('withdrawal', 'correction')
        group by 1, 2)
      select ${ENTRY_NAME} || ' returns ' || returned.coins || ' of piece ' || returned.parent_id || ', taken '
        || coalesce(taken.coins, 0) as found
      from returned
        join ledger_entries entry on entry.id = returned.entry_id
        left join taken on taken.piece_id = returned.parent_id and taken.payment = returned.payment
      where taken.coins is distinct from returned.coins or taken.entry_id > returned.entry_id
      order by entry.id`,
  ),
  keepsSampledStacks,
];
