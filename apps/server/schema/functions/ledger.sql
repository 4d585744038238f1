-- The ledger's guards and its one way of posting.

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
  return kind in ('deposit', 'deposit_taken', 'debt_repayment', 'stake', 'refund', 'win', 'draw', 'withdrawal', 'withdrawal_paid',
      'withdrawal_return', 'provider_fee', 'correction', 'closing_remainder', 'opening')
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

-- Posts the entries of the jobs, in waves: no two entries of a wave touch the same wallet or escrow. Locks the wallet of
-- `debit`, which must hold its amount; the caller has locked all others. Returns the wallets after each of their entries; or,
-- without effect, what the debited wallet holds if that is too little, or null: booked before.
create or replace function ledger_post(batch jsonb, jobs int[]) returns jsonb language plpgsql
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
  set plan_cache_mode to 'force_generic_plan' as $$
declare
  held bigint;
  expected int;
  waves int;
  settled int;
  written int;
  missing int;
  reported jsonb;
  wallets jsonb := '[]';
  wrong text;
begin
  if batch ? 'debit' then
    select account.balance into held from ledger_accounts account
    where account.kind = 'wallet' and account.owner = batch->'debit'->>'owner' for no key update;
    if held < (batch->'debit'->>'amount')::bigint then return jsonb_build_object('have', held::text); end if;
  end if;
  with entry as materialized (
    select item.* from jsonb_to_recordset(batch->'entries')
      as item(job int, wave int, kind text, source text, settled_game text, at timestamptz, details text, content_hash text)
    where item.job = any (jobs)
  ), written as (
    insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
    select entry.kind, entry.source, entry.settled_game, entry.at, entry.details, entry.content_hash from entry
    on conflict do nothing returning 1
  )
  select (select count(*) from written), count(*), count(entry.settled_game), coalesce(max(entry.wave), 0)
  into written, expected, settled, waves from entry;
  if written = 0 and expected > 0 then return null; end if;
  if written <> expected then
    raise exception '% of % entries of a batch were booked before', expected - written, expected using errcode = 'unique_violation';
  end if;
  for turn in 1 .. waves loop
    with line as materialized (
      select p.* from jsonb_to_recordset(batch->'postings')
        as p(job int, wave int, entry_kind text, source text, at timestamptz, kind text, owner text, amount bigint)
      where p.wave = turn and p.job = any (jobs)
    ), filled as (
      insert into ledger_accounts as account (kind, owner, balance, sequence, opened_at)
      select 'escrow', line.owner, line.amount, 1, line.at from line where line.kind = 'escrow' and line.amount > 0
      on conflict (kind, owner) do update set balance = account.balance + excluded.balance, sequence = account.sequence + 1
      returning account.id, account.owner, account.balance
    ), changed as (
      update ledger_accounts account set balance = account.balance + line.amount, sequence = account.sequence + 1
      from line where (line.kind = 'wallet' or line.kind = 'escrow' and line.amount < 0)
        and account.kind = line.kind and account.owner = line.owner
      returning line.job, line.entry_kind, line.source, line.kind, line.owner, line.amount, account.id, account.balance, account.sequence
    ), posted as (
      insert into ledger_postings (entry_id, account_id, amount, balance_after)
      select entry.id, part.id, part.amount, part.balance
      from (
        select changed.entry_kind, changed.source, changed.id, changed.amount, changed.balance from changed
        union all
        select line.entry_kind, line.source, filled.id, line.amount, filled.balance
        from line join filled on filled.owner = line.owner where line.kind = 'escrow' and line.amount > 0
        union all
        select line.entry_kind, line.source, account.id, line.amount, null
        from line join ledger_accounts account on account.kind = line.kind and account.owner = line.owner
        where line.kind not in ('wallet', 'escrow')
      ) as part join ledger_entries entry on entry.kind = part.entry_kind and entry.source = part.source
      returning 1
    )
    select (select count(*) from line) - (select count(*) from posted), jsonb_agg(jsonb_build_object('job', changed.job,
      'playerId', changed.owner, 'balance', changed.balance::text, 'sequence', changed.sequence))
    into missing, reported from changed where changed.kind = 'wallet';
    if missing <> 0 then
      raise exception '% accounts of a batch are not open', missing using errcode = 'foreign_key_violation';
    end if;
    wallets := wallets || coalesce(reported, '[]');
  end loop;
  if settled > 0 then
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
  end if;
  return jsonb_build_object('wallets', wallets);
end $$;
