/**
 * The same guards on the same rows for less of the database's time: half of what an entry took went into them.
 *
 * A CHECK is read anew from its stored text by every statement that writes the table, and a list of kinds is a long text: a function has
 * it ready. An entry was weighed once for itself and again for each of its postings, and each posting locked the entry it refers to by
 * a foreign key: now it is weighed once, at commit, and a posting can only join an entry that its own transaction has written, outside of
 * savepoints. So nothing can be added to what was posted, and who looks for an entry finds it, since none can be deleted.
 *
 * `ledger_post` takes from the wallet that gives first by one statement that locks it, looks whether it holds enough, and takes. Where it
 * does not, nothing is written, and the one row has no sequence and tells what the wallet holds; null where there is none. An entry whose
 * cause or game was posted before puts back what it took, and there is no row, as before. Other accounts that keep a balance are locked
 * by the caller.
 *
 * `ledger_lock_game` finds the escrow by the stakes that opened it.
 */
export const up = `
  create function ledger_is_sound_account(kind text, owner text, balance bigint, sequence bigint) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return kind in ('wallet', 'escrow', 'revenue', 'provider_fees', 'provider_loss', 'deposit_clearing', 'withdrawal_clearing',
        'rounding', 'debts', 'opening')
      and length(owner) <= 64 and sequence >= 0
      and (kind in ('wallet', 'escrow', 'debts')) = (owner <> '')
      and (kind in ('wallet', 'escrow')) = (balance is not null)
      and (balance is null or balance between 0 and 9000000000000000);
  end $$;
  alter table ledger_accounts
    drop constraint ledger_accounts_kind_check,
    drop constraint ledger_accounts_owner_check,
    drop constraint ledger_accounts_balance_check,
    drop constraint ledger_accounts_sequence_check,
    drop constraint ledger_accounts_check,
    drop constraint ledger_accounts_check1,
    add constraint ledger_accounts_sound check (ledger_is_sound_account(kind, owner, balance, sequence));

  create function ledger_is_sound_entry(kind text, source text, settled_game text, content_hash text) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return kind in ('deposit', 'deposit_reversal', 'deposit_return', 'debt_repayment', 'stake', 'refund', 'win', 'draw',
        'withdrawal_hold', 'withdrawal_return', 'withdrawal_paid', 'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction',
        'closing_remainder', 'opening')
      and length(source) between 1 and 200 and length(content_hash) = 64 and ltrim(content_hash, '0123456789abcdef') = ''
      and (kind in ('refund', 'win', 'draw')) = (settled_game is not null);
  end $$;
  alter table ledger_entries
    drop constraint ledger_entries_kind_check,
    drop constraint ledger_entries_source_check,
    drop constraint ledger_entries_content_hash_check,
    drop constraint ledger_entries_check,
    add constraint ledger_entries_sound check (ledger_is_sound_entry(kind, source, settled_game, content_hash));

  drop trigger ledger_balanced on ledger_postings;
  alter table ledger_postings drop constraint ledger_postings_entry_id_fkey;
  create function ledger_check_posting() returns trigger language plpgsql as $$
  begin
    if exists (select from ledger_entries where id = new.entry_id and xmin = pg_current_xact_id()::xid) then return new; end if;
    raise exception 'a posting cannot join entry %, which this transaction did not write', new.entry_id
      using errcode = 'foreign_key_violation';
  end $$;
  create trigger ledger_joined before insert on ledger_postings for each row execute function ledger_check_posting();

  create or replace function ledger_check_entry() returns trigger language plpgsql as $$
  declare
    posted bigint;
    total numeric;
  begin
    select count(*), coalesce(sum(amount), 0) into posted, total from ledger_postings where entry_id = new.id;
    if posted < 2 or total <> 0 then
      raise exception 'entry % does not balance: % postings, sum %', new.id, posted, total using errcode = 'check_violation';
    end if;
    return null;
  end $$;

  create or replace function ledger_post(entry_kind text, entry_source text, entry_settled_game text, entry_at timestamptz,
    entry_details text, entry_content_hash text, kinds text[], owners text[], amounts bigint[])
  returns table (account_kind text, account_owner text, balance_after bigint, sequence_after bigint)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    posted_id bigint;
    posted_to bigint;
    taken_from bigint;
    ids bigint[];
    balances bigint[];
  begin
    account_kind := kinds[1];
    account_owner := owners[1];
    if account_kind = 'wallet' and amounts[1] < 0 then
      loop
        update ledger_accounts account set balance = account.balance + amounts[1], sequence = account.sequence + 1
        where account.kind = 'wallet' and account.owner = account_owner and account.balance >= -amounts[1]
        returning account.id, account.balance, account.sequence into taken_from, balance_after, sequence_after;
        exit when taken_from is not null;
        select account.balance into balance_after from ledger_accounts account
        where account.kind = 'wallet' and account.owner = account_owner for no key update;
        if balance_after is null or balance_after < -amounts[1] then
          return next;
          return;
        end if;
        -- It was filled between the two statements, and is locked now: the next turn takes.
      end loop;
    end if;
    insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
    values (entry_kind, entry_source, entry_settled_game, entry_at, entry_details, entry_content_hash)
    on conflict do nothing returning id into posted_id;
    if posted_id is null then
      if taken_from is not null then
        update ledger_accounts account set balance = account.balance - amounts[1], sequence = account.sequence - 1
        where account.id = taken_from;
      end if;
      return;
    end if;
    for place in 1 .. cardinality(amounts) loop
      account_kind := kinds[place];
      account_owner := owners[place];
      if place = 1 and taken_from is not null then
        posted_to := taken_from;
      elsif account_owner = '' or account_kind = 'debts' then
        balance_after := null;
        sequence_after := null;
        select account.id into posted_to from ledger_accounts account
        where account.kind = account_kind and account.owner = account_owner;
      elsif account_kind = 'escrow' and amounts[place] > 0 then
        insert into ledger_accounts as account (kind, owner, balance, sequence, opened_at)
        values ('escrow', account_owner, amounts[place], 1, entry_at)
        on conflict (kind, owner) do update set balance = account.balance + excluded.balance, sequence = account.sequence + 1
        returning account.id, account.balance, account.sequence into posted_to, balance_after, sequence_after;
      else
        update ledger_accounts account set balance = account.balance + amounts[place], sequence = account.sequence + 1
        where account.kind = account_kind and account.owner = account_owner
        returning account.id, account.balance, account.sequence into posted_to, balance_after, sequence_after;
      end if;
      if posted_to is null then
        raise exception 'account % % of % % is not open', account_kind, account_owner, entry_kind, entry_source
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

  create or replace function ledger_lock_game(game text)
  returns table (account_kind text, account_owner text, balance_now bigint, staked bigint)
  language plpgsql as $$
  #variable_conflict use_column
  declare
    ids bigint[];
    stakes bigint[];
  begin
    select array_agg(posting.account_id), array_agg(-posting.amount) into ids, stakes
    from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id
    where entry.kind = 'stake' and entry.source in (game || ':1', game || ':2');
    -- Nothing but the locked table: who waited for a lock has its row read anew, and joined rows would not be.
    return query
      select account.kind, account.owner, account.balance,
        case account.kind when 'wallet' then stakes[array_position(ids, account.id)] end
      from ledger_accounts account where account.id = any (ids)
      order by account.id for no key update;
  end $$;
`;
