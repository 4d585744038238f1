-- The ledger's guards and its two ways of posting.

-- Called by a check: one function is faster to evaluate than its conditions.
create or replace function ledger_is_sound_account(kind text, owner text, balance bigint, sequence bigint)
  returns boolean language plpgsql immutable parallel safe as $$
begin
  return kind in ('wallet', 'escrow', 'revenue', 'provider_fees', 'provider_loss', 'deposit_clearing', 'withdrawal_clearing',
      'rounding', 'debts', 'opening')
    and length(owner) <= 64 and sequence >= 0
    and (kind in ('wallet', 'escrow', 'debts')) = (owner <> '')
    and (kind in ('wallet', 'escrow')) = (balance is not null)
    and (balance is null or balance between 0 and 9000000000000000);
end $$;

create or replace function ledger_is_sound_entry(kind text, source text, settled_game text, content_hash text)
  returns boolean language plpgsql immutable parallel safe as $$
begin
  return kind in ('deposit', 'deposit_reversal', 'deposit_return', 'deposit_sent_back', 'debt_repayment', 'stake', 'refund', 'win',
      'draw', 'withdrawal_hold', 'withdrawal_fee', 'withdrawal_fee_return', 'withdrawal_return', 'withdrawal_paid',
      'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction', 'closing_remainder', 'opening')
    and length(source) between 1 and 200 and length(content_hash) = 64 and ltrim(content_hash, '0123456789abcdef') = ''
    and (kind in ('refund', 'win', 'draw')) = (settled_game is not null);
end $$;

create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append only: % on % refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

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

-- Postings join only an entry of their own transaction; those that are not of games are listed for their player.
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

-- Posts one entry. Its first posting may debit a wallet. Returns the accounts after it; no row: the cause is booked already;
-- one row with less than the debit: the wallet has too little.
create or replace function ledger_post(entry_kind text, entry_source text, entry_settled_game text, entry_at timestamptz, 
  entry_details text, entry_content_hash text, kinds text[], owners text[], amounts bigint[])
  returns table (account_kind text, account_owner text, balance_after bigint, sequence_after bigint) language plpgsql as $$
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

-- Locks the accounts of a game's stakes, in the order of their ids, and returns what each player staked.
create or replace function ledger_lock_game(game text)
  returns table (account_kind text, account_owner text, balance_now bigint, staked bigint) language plpgsql as $$
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

-- Posts the entries of a batch, in waves. No two entries of a wave touch the same wallet or escrow.
create or replace function ledger_post_batch(batch jsonb, jobs int[]) returns void language plpgsql as $$
declare
  written int;
  expected int;
  wrong text;
begin
  for turn in 1 .. coalesce((select max(e.wave) from jsonb_to_recordset(batch->'entries') as e(job int, wave int)
      where e.job = any (jobs)), 0) loop
    insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
    select e.kind, e.source, e.settled_game, e.at, e.details, e.content_hash
    from jsonb_to_recordset(batch->'entries')
      as e(job int, wave int, kind text, source text, settled_game text, at timestamptz, details text, content_hash text)
    where e.wave = turn and e.job = any (jobs);
    insert into ledger_accounts as account (kind, owner, balance, sequence, opened_at)
    select 'escrow', p.owner, p.amount, 1, p.at
    from jsonb_to_recordset(batch->'postings') as p(job int, wave int, kind text, owner text, amount bigint, at timestamptz)
    where p.wave = turn and p.kind = 'escrow' and p.amount > 0 and p.job = any (jobs)
    on conflict (kind, owner) do update set balance = account.balance + excluded.balance, sequence = account.sequence + 1;
    update ledger_accounts account set balance = account.balance + p.amount, sequence = account.sequence + 1
    from jsonb_to_recordset(batch->'postings') as p(job int, wave int, kind text, owner text, amount bigint)
    where p.wave = turn and (p.kind = 'wallet' or (p.kind = 'escrow' and p.amount < 0)) and p.job = any (jobs)
      and account.kind = p.kind and account.owner = p.owner;
    insert into ledger_postings (entry_id, account_id, amount, balance_after)
    select entry.id, account.id, p.amount, account.balance
    from jsonb_to_recordset(batch->'postings')
        as p(job int, wave int, entry_kind text, source text, kind text, owner text, amount bigint)
      join ledger_entries entry on entry.kind = p.entry_kind and entry.source = p.source
      join ledger_accounts account on account.kind = p.kind and account.owner = p.owner
    where p.wave = turn and p.job = any (jobs);
    get diagnostics written = row_count;
    select count(*) into expected from jsonb_to_recordset(batch->'postings') as p(job int, wave int)
    where p.wave = turn and p.job = any (jobs);
    if written <> expected then
      raise exception '% of % accounts of a batch are not open', expected - written, expected using errcode = 'foreign_key_violation';
    end if;
  end loop;
  select e.settled_game into wrong
  from jsonb_to_recordset(batch->'entries') as e(job int, settled_game text)
  where e.settled_game is not null and e.job = any (jobs) and (select escrow.balance from ledger_accounts escrow
    where escrow.kind = 'escrow' and escrow.owner = e.settled_game) is distinct from 0 limit 1;
  if wrong is not null then
    raise exception 'the settlement of game % does not pay its whole escrow', wrong using errcode = 'check_violation';
  end if;
  select p.owner into wrong
  from jsonb_to_recordset(batch->'postings') as p(job int, kind text, owner text, amount bigint, settled_game text)
  where p.settled_game is not null and p.kind = 'wallet' and p.job = any (jobs) and (
    select true from ledger_entries stake join ledger_postings taken on taken.entry_id = stake.id
      join ledger_accounts account on account.id = taken.account_id
    where stake.kind = 'stake' and stake.source in (p.settled_game || ':1', p.settled_game || ':2')
      and account.kind = 'wallet' and account.owner = p.owner limit 1) is null limit 1;
  if wrong is not null then
    raise exception 'player % is paid from a game without a stake', wrong using errcode = 'check_violation';
  end if;
end $$;
