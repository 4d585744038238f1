/**
 * A foreign key locks the row it refers to against being deleted, and so the one row of revenue or clearing that all games and payments
 * post to at once: a list of lockers was kept for it, and rewritten with each. Accounts cannot be deleted anyway, a trigger refuses it to
 * everyone; `ledger_post` finds each by its name, and the auditor looks for postings without one.
 *
 * `ledger_post` as before, with fewer statements inside: the platform's accounts, which have no owner and keep no balance, are only looked
 * up, an escrow opens with its first stake, and the postings are written together.
 */
export const up = `
  alter table ledger_postings drop constraint ledger_postings_account_id_fkey;

  create or replace function ledger_post(entry_kind text, entry_source text, entry_settled_game text, entry_at timestamptz,
    entry_details text, entry_content_hash text, kinds text[], owners text[], amounts bigint[])
  returns table (account_kind text, account_owner text, balance_after bigint, sequence_after bigint)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    posted_id bigint;
    posted_to bigint;
    ids bigint[];
    balances bigint[];
  begin
    insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
    values (entry_kind, entry_source, entry_settled_game, entry_at, entry_details, entry_content_hash)
    on conflict do nothing returning id into posted_id;
    if posted_id is null then return; end if;
    for place in 1 .. cardinality(amounts) loop
      account_kind := kinds[place];
      account_owner := owners[place];
      if owners[place] = '' or kinds[place] = 'debts' then
        balance_after := null;
        sequence_after := null;
        select account.id into posted_to from ledger_accounts account
        where account.kind = kinds[place] and account.owner = owners[place];
      elsif kinds[place] = 'escrow' and amounts[place] > 0 then
        insert into ledger_accounts as account (kind, owner, balance, sequence, opened_at)
        values ('escrow', owners[place], amounts[place], 1, entry_at)
        on conflict (kind, owner) do update set balance = account.balance + excluded.balance, sequence = account.sequence + 1
        returning account.id, account.balance, account.sequence into posted_to, balance_after, sequence_after;
      else
        update ledger_accounts account set balance = account.balance + amounts[place], sequence = account.sequence + 1
        where account.kind = kinds[place] and account.owner = owners[place]
        returning account.id, account.balance, account.sequence into posted_to, balance_after, sequence_after;
      end if;
      if posted_to is null then
        raise exception 'account % % of % % is not open', kinds[place], owners[place], entry_kind, entry_source
          using errcode = 'foreign_key_violation';
      end if;
      ids[place] := posted_to;
      balances[place] := balance_after;
      return next;
    end loop;
    insert into ledger_postings (entry_id, account_id, amount, balance_after)
    select posted_id, line.account_id, line.amount, line.balance_after
    from unnest(ids, amounts, balances) as line (account_id, amount, balance_after);
  end $$;
`;
