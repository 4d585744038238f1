/**
 * The two steps that every entry takes, as functions, because their plans are kept with the connection: as statements of many parts they
 * took longer to plan and to start than to run.
 *
 * `ledger_post` writes an entry, its postings and the balances they change. One row for each posting, in their order; none, and nothing
 * written, where the cause or the game was posted before. The accounts that keep a balance are locked by the caller.
 *
 * `ledger_lock_game` locks the escrow of a game and the wallets of who staked on it, in the order of their ids, and tells what was staked.
 */
export const up = `
  create function ledger_post(entry_kind text, entry_source text, entry_settled_game text, entry_at timestamptz, entry_details text,
    entry_content_hash text, kinds text[], owners text[], amounts bigint[])
  returns table (account_kind text, account_owner text, balance_after bigint, sequence_after bigint)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    posted_id bigint;
    posted_to bigint;
  begin
    insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
    values (entry_kind, entry_source, entry_settled_game, entry_at, entry_details, entry_content_hash)
    on conflict do nothing returning id into posted_id;
    if posted_id is null then return; end if;
    for place in 1 .. cardinality(amounts) loop
      account_kind := kinds[place];
      account_owner := owners[place];
      update ledger_accounts account set balance = account.balance + amounts[place], sequence = account.sequence + 1
      where account.kind = kinds[place] and account.owner = owners[place] and account.balance is not null
      returning account.id, account.balance, account.sequence into posted_to, balance_after, sequence_after;
      if posted_to is null then
        select account.id into posted_to from ledger_accounts account
        where account.kind = kinds[place] and account.owner = owners[place];
      end if;
      if posted_to is null then
        raise exception 'account % % of % % is not open', kinds[place], owners[place], entry_kind, entry_source
          using errcode = 'foreign_key_violation';
      end if;
      insert into ledger_postings (entry_id, account_id, amount, balance_after)
      values (posted_id, posted_to, amounts[place], balance_after);
      return next;
      posted_to := null;
    end loop;
  end $$;

  create function ledger_lock_game(game text)
  returns table (account_kind text, account_owner text, balance_now bigint, staked bigint)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    ids bigint[];
    stakes bigint[];
  begin
    select array_agg(wanted.id), array_agg(wanted.amount) into ids, stakes from (
      select account.id, null::bigint as amount from ledger_accounts account
      where account.kind = 'escrow' and account.owner = game
      union all
      select posting.account_id, -posting.amount
      from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id
      where entry.kind = 'stake' and entry.source in (game || ':1', game || ':2') and posting.amount < 0) as wanted;
    -- Nothing but the locked table: who waited for a lock has its row read anew, and joined rows would not be.
    return query
      select account.kind, account.owner, account.balance, stakes[array_position(ids, account.id)]
      from ledger_accounts account where account.id = any (ids)
      order by account.id for no key update;
  end $$;
`;
