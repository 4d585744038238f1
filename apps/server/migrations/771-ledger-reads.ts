/**
 * What pages read of the ledger without walking it whole.
 *
 * `ledger_player_lines` names the postings to a player's wallet and debts by entries other than
 * stakes, wins and draws: few beside thousands of games. The trigger that checks new postings also
 * writes it.
 *
 * `ledger_totals` holds what a platform account's postings up to an entry sum to. The server moves
 * it forward; a reader adds the later postings.
 */
export const up = `
  lock table ledger_entries, ledger_postings in share row exclusive mode;

  create table ledger_player_lines (
    account_id bigint not null,
    entry_id bigint not null,
    primary key (account_id, entry_id)
  );
  create trigger ledger_append_only before update or delete or truncate on ledger_player_lines
    for each statement execute function ledger_refuse_change();
  insert into ledger_player_lines (account_id, entry_id)
  select posting.account_id, posting.entry_id
  from ledger_postings posting
  join ledger_entries entry on entry.id = posting.entry_id and entry.kind not in ('stake', 'win', 'draw')
  join ledger_accounts account on account.id = posting.account_id and account.kind in ('wallet', 'debts');

  create or replace function ledger_check_posting() returns trigger language plpgsql as $$
  declare
    stray bigint;
  begin
    select posting.entry_id into stray from added posting
    where (select entry.xmin = pg_current_xact_id()::xid from ledger_entries entry where entry.id = posting.entry_id) is not true
    limit 1;
    if stray is not null then
      raise exception 'a posting cannot join entry %, which this transaction did not write', stray
        using errcode = 'foreign_key_violation';
    end if;
    insert into ledger_player_lines (account_id, entry_id)
    select posting.account_id, posting.entry_id
    from added posting
    join ledger_entries entry on entry.id = posting.entry_id and entry.kind not in ('stake', 'win', 'draw')
    join ledger_accounts account on account.id = posting.account_id and account.kind in ('wallet', 'debts');
    return null;
  end $$;

  create table ledger_totals (
    account_id bigint primary key,
    entry_id bigint not null,
    total bigint not null
  );
  insert into ledger_totals (account_id, entry_id, total)
  select account.id, newest.id, coalesce((select sum(posting.amount) from ledger_postings posting
    where posting.account_id = account.id and posting.entry_id <= newest.id), 0)
  from ledger_accounts account, (select coalesce(max(id), 0) as id from ledger_entries) as newest
  where account.owner = '';
`;
