-- Games begin and end in batches: `lifecycle_commit` carries out several jobs in one transaction. A job is one start, join, end,
-- cancellation or rematch, decided by TypeScript (game/log); no two jobs of a batch concern the same player or game. SQL collects
-- facts and carries out the jobs whose facts TypeScript has judged already.

create or replace function game_log_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the log of games is append only: % refused', tg_op using errcode = 'restrict_violation';
end $$;

create or replace function chat_messages_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'chat is append only: % refused', tg_op using errcode = 'restrict_violation';
end $$;

-- A cancelled game counts nowhere; a draw is no win.
create or replace function count_outcome() returns trigger language plpgsql as $$
begin
  insert into player_outcomes as kept (player_id, game_type, pool, wins, losses, draws)
  select player.id, new.game_type, case when new.stake_amount > 0 then 'staked' else 'free' end, coalesce((new.winner_id = player.id)::int, 0), coalesce((new.winner_id <> player.id)::int, 0),
    (new.winner_id is null)::int
  from (values (new.player1_id), (new.player2_id)) as player (id) order by player.id
  on conflict (player_id, game_type, pool) do update set wins = kept.wins + excluded.wins, losses = kept.losses + excluded.losses,
    draws = kept.draws + excluded.draws;
  return null;
end $$;

-- A staked game that has ended waits for the engine.
create or replace function await_screening() returns trigger language plpgsql as $$
begin
  insert into game_screenings (game_id, ended_at) values (new.id, new.completed_at);
  return null;
end $$;

-- When the newest games that a player cancelled or let lapse ended.
create or replace function game_ends_missed(player text, newest_games int) returns jsonb language sql stable as $$
  select jsonb_agg(newest.completed_at) from (
    select own.cancelled_by, own.completed_at from (
      (select cancelled_by, completed_at, created_at from games
        where player1_id = player and started_at is not null and completed_at is not null order by created_at desc limit newest_games)
      union all
      (select cancelled_by, completed_at, created_at from games
        where player2_id = player and started_at is not null and completed_at is not null order by created_at desc limit newest_games)
    ) as own order by own.created_at desc limit newest_games
  ) as newest where newest.cancelled_by = player
$$;

-- What is unusual about players who are to sit down, or whose waiting game is to start: one row each, if there is anything.
create or replace function seat_facts(people jsonb) returns table (job int, player text, facts jsonb) language sql stable as $$
  select fact.job, fact.player, jsonb_strip_nulls(to_jsonb(fact) - 'job')
  from (
    select person.job, person.player,
      (select true from bans ban where ban.player_id = person.player) as "isBanned",
      (select true from closing_accounts closing where closing.player_id = person.player) as "isClosing",
      (select max(until_at) from self_exclusions exclusion
        where exclusion.player_id = person.player and exclusion.until_at > person.at) as "excludedUntil",
      (select max(until_at) from self_exclusions exclusion where exclusion.player_id = person.player
        and exclusion.until_at > person.at and exclusion.covers_free_games) as "excludedFromFreeUntil",
      (select nullif(newest.text is not null, false) from maintenance_changes newest order by newest.id desc limit 1)
        as "isUnderMaintenance",
      (select true from deposit_disputes dispute
        where dispute.player_id = person.player and dispute.until_at is null limit 1) as "hasDispute",
      (select jsonb_build_object('value', own.value, 'nextValue', own.next_value, 'nextAt', own.next_at) from player_limits own
        where own.player_id = person.player and own.kind = 'stake' and own.value is not null) as "stakeLimit",
      (select (-sum(posting.amount))::text
        from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
        where account.kind = 'debts' and account.owner = person.player having sum(posting.amount) < 0) as debt,
      case when (select true from games missed where missed.cancelled_by = person.player
          and missed.started_at is not null and missed.completed_at > person.missed_since limit 1)
        then game_ends_missed(person.player, person.missed_games) end as "missedAt",
      (select jsonb_build_object('gameId', game.id, 'status', game.status) from seats seat join games game on game.id = seat.game_id
        where seat.player_id = person.player and game.id is distinct from person.game_id) as "openGame",
      coalesce(
        (select true from player_relations r where r.player_id = person.player and r.other_id = person.opponent and r.blocked),
        (select true from player_relations r where r.player_id = person.opponent and r.other_id = person.player and r.blocked))
        as "isBlocked",
      (select true from account_traces own join account_traces other
          on other.player_id = person.opponent and other.kind = own.kind and other.keyed_hash = own.keyed_hash
        where own.player_id = person.player and own.kind in ('bank_account', 'card', 'device')
          and (own.kind <> 'device' or least(own.last_at, other.last_at) > person.device_since) limit 1) as "sharesTrace",
      (select account.balance::text from ledger_accounts account
        where account.kind = 'wallet' and account.owner = person.player and account.balance < person.need) as have,
      case when person.token is not null and (select true from sessions session where session.token = person.token
          and session.expires_at > person.session_at and session.started_at > person.started_after) is null
        then true end as "isLoggedOut",
      (select jsonb_build_object('content', earlier.content, 'gameId', earlier.game_id) from game_commands earlier
        where earlier.player_id = person.player and earlier.command_id = person.command) as command
    from jsonb_to_recordset(people) as person(job int, player text, at bigint, game_id uuid, opponent text, need bigint,
      command text, token text, session_at timestamptz, started_after timestamptz, missed_since bigint, missed_games int, device_since bigint)
  ) as fact
  where num_nonnulls("isBanned", "isClosing", "excludedUntil", "isUnderMaintenance", "hasDispute", "stakeLimit", debt, "missedAt",
    "openGame", "isBlocked", "sharesTrace", have, "isLoggedOut", command) > 0
$$;

-- Takes the locks of the jobs in one order: games, players, terms, wallets, ratings, sessions. Returns the jobs that wait for another
-- transaction; with `waits` it waits itself.
create or replace function lifecycle_lock(batch jsonb, waits boolean) returns int[] language plpgsql as $$
declare
  busy int[];
begin
  if waits then
    perform from jsonb_to_recordset(batch->'games') as change(id uuid, version int)
      join games game on game.id = change.id where change.version > 0 order by game.id for update of game;
    perform case when person.seat is not null then pg_advisory_xact_lock(730, hashtext(person.player)) end,
      pg_advisory_xact_lock_shared(470, hashtext(person.player))
    from (select player, seat from jsonb_to_recordset(batch->'people') as p(player text, seat int) order by player) as person;
    perform pg_advisory_xact_lock(hashtext(search.terms)) from jsonb_to_recordset(batch->'searches') as search(terms text);
    perform from jsonb_to_recordset(batch->'wallets') as wallet(owner text)
      join ledger_accounts account on account.kind = 'wallet' and account.owner = wallet.owner
      order by account.id for no key update of account;
    perform from jsonb_to_recordset(batch->'ratings') as rated(player_id text, game_type text, pool text)
      join ratings own using (player_id, game_type, pool) order by own.player_id, own.game_type for no key update of own;
    perform from jsonb_to_recordset(batch->'people') as person(token text)
      join sessions session on session.token = person.token for key share of session;
    return '{}';
  end if;
  select array_agg(change.job) into busy
  from jsonb_to_recordset(batch->'games') as change(job int, id uuid, version int)
  where change.version > 0 and (select true from games game where game.id = change.id for update skip locked) is null;
  select busy || array_agg(person.job) into busy
  from jsonb_to_recordset(batch->'people') as person(job int, player text, seat int)
  where case when person.seat is not null and not pg_try_advisory_xact_lock(730, hashtext(person.player)) then true
    else not pg_try_advisory_xact_lock_shared(470, hashtext(person.player)) end;
  select busy || array_agg(search.job) into busy
  from jsonb_to_recordset(batch->'searches') as search(job int, terms text)
  where not pg_try_advisory_xact_lock(hashtext(search.terms));
  select busy || array_agg(wallet.job) into busy
  from jsonb_to_recordset(batch->'wallets') as wallet(job int, owner text)
  where (select true from ledger_accounts account
    where account.kind = 'wallet' and account.owner = wallet.owner for no key update skip locked) is null;
  select busy || array_agg(rated.job) into busy
  from jsonb_to_recordset(batch->'ratings') as rated(job int, player_id text, game_type text, pool text)
    join ratings known using (player_id, game_type, pool)
  where not exists (select from ratings own where own.player_id = known.player_id and own.game_type = known.game_type
    and own.pool = known.pool for no key update skip locked);
  select busy || array_agg(person.job) into busy
  from jsonb_to_recordset(batch->'people') as person(job int, token text)
  where person.token is not null
    and (select true from sessions session where session.token = person.token for key share skip locked) is null
    and (select true from sessions session where session.token = person.token);
  return coalesce(busy, '{}');
end $$;

-- What was found about a job, one row each. The locks are held, so it stays true until the commit.
create or replace function lifecycle_findings(batch jsonb) returns table (job int, finding jsonb) language plpgsql as $$
#variable_conflict use_column
begin
  -- The newest record, under the lock of the game's row: its owner is the only one to append.
  return query
    select change.job, '{"type":"stale"}'::jsonb
    from jsonb_to_recordset(batch->'games') as change(job int, id uuid, version int, hash_before text)
    where change.version > 0 and not exists (
      select from (select record.version, record.hash from game_log record where record.game_id = change.id
        order by record.version desc limit 1) newest
      where newest.version = change.version and newest.hash = change.hash_before);
  return query
    select change.job, '{"type":"not_owned"}'::jsonb
    from jsonb_to_recordset(batch->'games') as change(job int, id uuid, version int)
      join games game on game.id = change.id
    where change.version > 0 and game.status <> 'waiting' and game.owner is distinct from (batch->>'server')::uuid;
  return query
    select person.job, person.facts || '{"type":"person"}' from seat_facts(batch->'people') as person;
  return query
    select debt.job, to_jsonb(debt) - 'job' || '{"type":"debt"}'
    from (
      select payee.job, payee.player, (select (-sum(posting.amount))::text
        from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
        where account.kind = 'debts' and account.owner = payee.player having sum(posting.amount) < 0) as debt
      from jsonb_to_recordset(batch->'payees') as payee(job int, player text)
    ) as debt where debt.debt is not null;
  return query
    select rated.job, jsonb_build_object('type', 'rating', 'player', own.player_id, 'rating', own.rating,
      'deviation', own.deviation, 'volatility', own.volatility, 'games', own.games, 'ratedAt', own.rated_at)
    from jsonb_to_recordset(batch->'ratings') as rated(job int, player_id text, game_type text, pool text)
      join ratings own using (player_id, game_type, pool);
  return query
    select search.job, jsonb_build_object('type', 'waiting', 'gameId', game.id)
    from jsonb_to_recordset(batch->'searches')
      as search(job int, game_type text, stake int, time_limit int, fee_bps int, player text, known uuid[])
      join games game on game.status = 'waiting' and game.pairing is null and game.game_type = search.game_type
        and game.stake_amount = search.stake and game.time_limit = search.time_limit and game.fee_bps = search.fee_bps
    where game.player1_id <> search.player and game.id <> all (search.known);
end $$;

-- Games, logs, seats, commands and ratings of the jobs.
create or replace function lifecycle_write_games(batch jsonb, jobs int[]) returns void language plpgsql as $$
declare
  wrong text;
begin
  insert into games select game.*
  from jsonb_array_elements(batch->'games') as change(item)
    cross join lateral jsonb_populate_record(null::games, change.item->'row') as game
  where (change.item->>'job')::int = any (jobs) and (change.item->>'version')::int = 0;
  update games game set status = next.status, player2_id = next.player2_id, pairing = next.pairing, winner_id = next.winner_id,
    end_reason = next.end_reason, cancelled_by = next.cancelled_by, deadline_at = next.deadline_at, started_at = next.started_at,
    completed_at = next.completed_at, owner = next.owner,
    unserved_from = case when next.status = 'active' then game.unserved_from end
  from jsonb_array_elements(batch->'games') as change(item)
    cross join lateral jsonb_populate_record(null::games, change.item->'row') as next
  where (change.item->>'job')::int = any (jobs) and (change.item->>'version')::int > 0
    and game.id = (change.item->>'id')::uuid;
  insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures, player2_captures,
    player1_remaining_ms, player2_remaining_ms)
  select line.game_id, line.version, line.format, line.record, line.at, line.hash, line.board_state, line.move_count,
    line.player1_captures, line.player2_captures, line.player1_remaining_ms, line.player2_remaining_ms
  from jsonb_to_recordset(batch->'logs')
    as line(job int, game_id uuid, version int, format smallint, record text, at bigint, hash text, board_state text,
      move_count int, player1_captures smallint, player2_captures smallint, player1_remaining_ms int, player2_remaining_ms int)
  where line.job = any (jobs);
  with freed as (
    delete from seats using jsonb_to_recordset(batch->'frees') as place(job int, game_id uuid)
    where place.job = any (jobs) and seats.game_id = place.game_id returning seats.game_id
  )
  select place.game_id::text into wrong from jsonb_to_recordset(batch->'frees') as place(job int, game_id uuid, seats int)
  where place.job = any (jobs) and (select count(*) from freed where freed.game_id = place.game_id) <> place.seats limit 1;
  if wrong is not null then raise exception 'game % had other seats than its log says', wrong using errcode = 'check_violation'; end if;
  insert into seats (player_id, game_id, seat)
  select person.player, person.game_id, person.seat
  from jsonb_to_recordset(batch->'people') as person(job int, player text, game_id uuid, seat smallint)
  where person.seat is not null and person.job = any (jobs);
  insert into game_commands (player_id, command_id, content, game_id, at)
  select person.player, person.command, person.content, person.game_id, person.at
  from jsonb_to_recordset(batch->'people') as person(job int, player text, command text, content text, game_id uuid, at bigint)
  where person.command is not null and person.job = any (jobs);
  insert into rating_changes select change.*
  from jsonb_array_elements(batch->'ratings') as rated(item)
    cross join lateral jsonb_populate_record(null::rating_changes, rated.item) as change
  where (rated.item->>'job')::int = any (jobs);
  insert into ratings select own.*
  from jsonb_array_elements(batch->'ratings') as rated(item) cross join lateral jsonb_populate_record(null::ratings, rated.item) as own
  where (rated.item->>'job')::int = any (jobs)
  on conflict (player_id, game_type, pool) do update set rating = excluded.rating, deviation = excluded.deviation,
    volatility = excluded.volatility, games = excluded.games, rated_at = excluded.rated_at;
end $$;

-- Holds the fence of a server until the transaction ends: nothing of a server commits after its end, or on another database.
create or replace function hold_fence(server uuid, start text) returns void language plpgsql as $$
begin
  perform from servers where server_id = server and ended_at is null
    and extract(epoch from pg_postmaster_start_time())::text = start for share;
  if not found then raise exception 'server % has ended', server using errcode = 'HF001'; end if;
end $$;

-- Holds the fence, locks, judges by facts and writes. Returns what was found and which jobs were committed, with their wallets.
create or replace function lifecycle_commit(batch jsonb, waits boolean)
  returns jsonb language plpgsql
  set enable_seqscan to 'off'
  set enable_hashjoin to 'off'
  set enable_mergejoin to 'off'
  set plan_cache_mode to 'force_generic_plan' as $$
declare
  busy int[];
  found_against jsonb;
  jobs int[];
  wallets jsonb := '[]';
begin
  perform hold_fence((batch->>'server')::uuid, batch->>'start');
  busy := lifecycle_lock(batch, waits);
  select jsonb_object_agg(f.job, f.findings) into found_against from (
    select found.job, jsonb_agg(found.finding order by found.finding) as findings
    from lifecycle_findings(batch) found where found.job <> all (busy) group by found.job
  ) as f;
  jobs := array(select j.job from jsonb_to_recordset(batch->'jobs') as j(job int, judged jsonb)
    where j.job <> all (busy) and found_against->(j.job::text) is not distinct from j.judged);
  if cardinality(jobs) > 0 then
    perform lifecycle_write_games(batch, jobs);
    wallets := ledger_post(batch, jobs)->'wallets';
    if wallets is null then raise exception 'a batch was booked before or is not covered' using errcode = 'unique_violation'; end if;
  end if;
  return jsonb_build_object('busy', busy, 'found', found_against, 'committed', jobs, 'wallets', wallets);
end $$;
