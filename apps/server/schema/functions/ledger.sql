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
      'withdrawal_return', 'provider_fee', 'correction', 'closing_remainder', 'forfeit', 'forfeit_return', 'opening')
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

-- The entries of an entry's payment up to it.
create or replace function ledger_payment_entries(kind text, source text) returns bigint[] language sql stable as $$
  select array(
    select entry.id from ledger_entries entry where entry.kind in ('deposit', 'withdrawal') and entry.source = split_part($2, ':', 1)
    union all
    select entry.id from ledger_entries entry
    where entry.kind in ('deposit_taken', 'withdrawal_return', 'correction') and entry.source = any (array(
      select split_part($2, ':', 1) || ':' || fact from generate_series(1, split_part($2, ':', 2)::int) fact)))
  where $1 in ('deposit_taken', 'withdrawal_return', 'correction')
$$;

-- Until when coins of an origin that a wallet gained in this entry are marked there; null: they are not. Few origins have marks: ask
-- for these first.
create or replace function ledger_find_mark(deposit bigint, wallet bigint, gained bigint, at timestamptz)
  returns timestamptz language sql stable as $$
  select max(mark.until_at) from coin_marks mark
  where mark.deposit_id = $1 and mark.until_entry is null and mark.until_at > $4 and case when mark.wallet_id is null
    then (select origin.wallet_id from coin_pieces origin where origin.id = $1) <> $2
    else mark.wallet_id = $2 and $3 = any (mark.gained_in) end
$$;

-- The pieces of a wallet that a case marks, oldest first, and to whom they go back: to the depositors, or to those whom the owner won
-- them from. The owner's coins that are from no one else stay.
create or replace function ledger_find_forfeited(wallet bigint, case_id text, receiver text, at timestamptz)
  returns table (piece_id bigint, coins bigint, to_wallet bigint) language sql stable as $$
  select held.id, held.left_coins, held.to_wallet from (
    select piece.id, piece.rank, piece.left_coins, case $3 when 'origin' then origin.wallet_id else (
      with recursive line as (
        select piece.entry_id, piece.parent_id
        union all
        select above.entry_id, above.parent_id from line join coin_pieces above on above.id = line.parent_id
        where line.entry_id <> piece.gained_entry)
      select parent.wallet_id from line join coin_pieces parent on parent.id = line.parent_id
      where line.entry_id = piece.gained_entry) end as to_wallet
    from coin_pieces piece join coin_pieces origin on origin.id = piece.deposit_id
    where piece.wallet_id = $1 and not piece.is_spent and exists (
      select from coin_marks mark where mark.deposit_id = piece.deposit_id and mark.wallet_id = $1 and mark.case_id = $2
        and mark.until_entry is null and mark.until_at > $4 and piece.gained_entry = any (mark.gained_in))) held
  where held.to_wallet <> $1
  order by held.rank, held.id
$$;

-- The pieces that an entry takes from a wallet, in their order, with what it takes of each and took before. Withdrawals take settled
-- pieces, unmarked and oldest first; forfeits those that they name; all others the newest, but first those of their payment.
create or replace function ledger_find_pieces(
  wallet bigint, need bigint, kind text, source text, at timestamptz, details text)
  returns table (piece_id bigint, coins bigint, taken_before bigint, to_wallet bigint) language plpgsql stable as $$
#variable_conflict use_column
declare
  stack refcursor;
  own bigint[];
  piece record;
begin
  if kind in ('withdrawal', 'closing_remainder') then
    open stack for select held.id, held.left_coins, null::bigint as to_wallet from coin_pieces held
      where held.wallet_id = $1 and not held.is_spent
      order by held.rank > 0 and (select gained.at from ledger_entries gained where gained.id = held.entry_id)
          > $5 - interval '24 hours', exists (select from coin_marks mark where mark.deposit_id = held.deposit_id)
          and ledger_find_mark(held.deposit_id, $1, held.gained_entry, $5) is not null, held.rank, held.id;
  elsif kind = 'forfeit' then
    open stack for select held.piece_id as id, held.coins as left_coins, held.to_wallet
      from ledger_find_forfeited($1, source, details::jsonb ->> 'receiver', $5) held;
  elsif kind in ('deposit_taken', 'correction') then
    own := ledger_payment_entries(kind, source);
    open stack for select held.id, held.left_coins, null::bigint as to_wallet from coin_pieces held
      where held.wallet_id = $1 and not held.is_spent
      order by held.entry_id = any (own)
          or (select origin.entry_id from coin_pieces origin where origin.id = held.deposit_id) = any (own) desc,
        held.rank desc, held.id desc;
  else
    open stack for select held.id, held.left_coins, null::bigint as to_wallet from coin_pieces held
      where held.wallet_id = $1 and not held.is_spent order by held.rank desc, held.id desc;
  end if;
  taken_before := 0;
  while taken_before < $2 loop
    fetch stack into piece;
    if not found then
      raise exception 'the pieces of wallet % lack % coins', $1, $2 - taken_before using errcode = 'check_violation';
    end if;
    piece_id := piece.id;
    to_wallet := piece.to_wallet;
    coins := least(piece.left_coins, $2 - taken_before);
    return next;
    taken_before := taken_before + coins;
  end loop;
  close stack;
end $$;

-- Moves the pieces that the entries move. What a wallet gains or loses by a game is what it is paid less its stake: of the loser's
-- pieces the newest become the winner's, the oldest leave as fee; of forfeited ones each has its receiver. `offset 0`: the plan,
-- made while the tables were small, must not begin with all wallets or stakes.
create or replace function ledger_move_pieces(entries bigint[]) returns void language plpgsql as $$
begin
  with entry as materialized (
    select e.id, e.kind, e.source, e.settled_game, e.at, e.details from ledger_entries e where e.id = any (entries)
  ), moved as (
    select entry.id as entry_id, line.account_id as wallet_id, line.amount
    from entry cross join lateral (
      select posting.account_id, posting.amount from ledger_postings posting where posting.entry_id = entry.id offset 0) line
    where (select account.kind from ledger_accounts account where account.id = line.account_id) = 'wallet'
    union all
    select entry.id, line.account_id, line.amount
    from entry cross join (values (':1'), (':2')) seat (suffix) cross join lateral (
      select posting.account_id, posting.amount from ledger_postings posting where posting.amount < 0 and posting.entry_id = (
        select stake.id from ledger_entries stake where stake.kind = 'stake' and stake.source = entry.settled_game || seat.suffix)
      offset 0) line
  ), change as materialized (
    select moved.entry_id, moved.wallet_id, sum(moved.amount)::bigint as amount
    from moved group by moved.entry_id, moved.wallet_id having sum(moved.amount) <> 0
  ), taken as materialized (
    select change.entry_id, entry.kind, piece.piece_id, piece.coins, piece.taken_before,
      coalesce(piece.to_wallet, gain.wallet_id) as winner_id, case when piece.to_wallet is null
        then least(piece.coins, greatest(coalesce(gain.amount, 0) - piece.taken_before, 0)) else piece.coins end as won
    from change
      join entry on entry.id = change.entry_id
      left join change gain on gain.entry_id = change.entry_id and gain.amount > 0 and entry.kind = 'win'
      cross join lateral ledger_find_pieces(
        change.wallet_id, -change.amount, entry.kind, entry.source, entry.at, entry.details) piece
    where change.amount < 0
  ), exited as (
    insert into coin_exits (piece_id, entry_id, coins)
    select taken.piece_id, taken.entry_id, taken.coins - taken.won from taken where taken.coins > taken.won
  ), given as materialized (
    update coin_pieces piece set left_coins = piece.left_coins - taken.coins, is_spent = piece.left_coins = taken.coins
    from taken where piece.id = taken.piece_id
    returning taken.*, piece.deposit_id, piece.hops
  ), came_back as materialized (
    -- Coins of a withdrawal: the pieces of its newest taking, unless they came back before.
    select change.entry_id, change.wallet_id, piece.gained_entry, piece.id as parent_id, piece.deposit_id, piece.hops, exit.coins,
      row_number() over (partition by change.entry_id order by piece.rank, piece.id) as place
    from change
      join entry on entry.id = change.entry_id and entry.kind in ('withdrawal_return', 'correction')
      cross join lateral (select ledger_payment_entries(entry.kind, entry.source) as entries) own
      join coin_exits exit on exit.entry_id = (select max(took.entry_id) from coin_exits took where took.entry_id = any (own.entries))
      join coin_pieces piece on piece.id = exit.piece_id
    where change.amount > 0
      and (select true from ledger_entries withdrawal
        where withdrawal.kind = 'withdrawal' and withdrawal.source = split_part(entry.source, ':', 1))
      and not exists (select from coin_pieces back where back.entry_id = any (own.entries) and back.entry_id > exit.entry_id)
  ), gained as (
    -- A forfeit gives back what its receiver had gained before.
    select winner_id as wallet_id, entry_id, case kind when 'forfeit' then (
      with recursive line as (
        select piece.wallet_id, piece.parent_id, piece.gained_entry from coin_pieces piece where piece.id = given.piece_id
        union all
        select above.wallet_id, above.parent_id, above.gained_entry from line join coin_pieces above on above.id = line.parent_id
        where line.wallet_id <> given.winner_id)
      select line.gained_entry from line where line.wallet_id = given.winner_id) else entry_id end as gained_entry,
      piece_id as parent_id, deposit_id, hops + (kind = 'win')::int as hops, entry_id as rank,
      won as coins, case kind when 'win' then -taken_before else taken_before end as place
    from given where won > 0
    union all
    select wallet_id, entry_id, gained_entry, parent_id, deposit_id, hops, 0, coins, place from came_back
    union all
    select change.wallet_id, change.entry_id, change.entry_id, null, null, 0, change.entry_id, change.amount - coalesce(back.coins, 0), 0
    from change left join (select entry_id, sum(coins)::bigint as coins from came_back group by entry_id) back
      on back.entry_id = change.entry_id
    where change.amount > coalesce(back.coins, 0) and not exists (select from taken where taken.entry_id = change.entry_id)
  )
  insert into coin_pieces (id, wallet_id, entry_id, gained_entry, parent_id, deposit_id, hops, rank, coins, left_coins)
  select piece.id, piece.wallet_id, piece.entry_id, piece.gained_entry, piece.parent_id, coalesce(piece.deposit_id, piece.id),
    piece.hops, piece.rank, piece.coins, piece.coins
  from (select nextval('coin_pieces_id_seq') as id, ordered.*
    from (select gained.* from gained order by gained.entry_id, gained.place) ordered) piece;
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
  moving bigint[];
  wallets jsonb := '[]';
  wrong text;
begin
  if batch ? 'debit' then
    select account.balance into held from ledger_accounts account
    where account.kind = 'wallet' and account.owner = batch->'debit'->>'owner' for no key update;
    if held < (batch->'debit'->>'amount')::bigint then return jsonb_build_object('have', held::text); end if;
    -- Marks begin and end between withdrawals (mark-store.ts), so that entries tell which were in force.
    perform pg_advisory_xact_lock_shared(490, 0) from jsonb_to_recordset(batch->'entries') as e(kind text)
    where e.kind in ('withdrawal', 'closing_remainder');
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
      returning entry_id, account_id
    )
    select (select count(*) from line) - (select count(*) from posted), jsonb_agg(jsonb_build_object('job', changed.job,
      'playerId', changed.owner, 'balance', changed.balance::text, 'sequence', changed.sequence)),
      array_agg(posted.entry_id) filter (where changed.entry_kind not in ('stake', 'refund'))
    into missing, reported, moving
    from changed join posted on posted.account_id = changed.id where changed.kind = 'wallet';
    if missing <> 0 then
      raise exception '% accounts of a batch are not open', missing using errcode = 'foreign_key_violation';
    end if;
    wallets := wallets || coalesce(reported, '[]');
    if moving is not null then perform ledger_move_pieces(moving); end if;
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
