/**
 * Games begin and end in batches: \`lifecycle_commit\` carries out several jobs in one transaction,
 * for all of them at once with each statement. A job is one start, join, end, cancellation or
 * rematch. TypeScript (arena/log/lifecycle) has decided it, and no two jobs of a batch concern the
 * same player or game.
 *
 * What a batch contains, each with the number of its job: \`jobs\`, \`people\`, \`pairs\`, \`sessions\`,
 * \`searches\`, \`games\`, \`logs\`, \`frees\`, \`entries\`, \`postings\`. SQL knows no rule of the product: it
 * collects what speaks against a job (findings), and carries out the jobs whose findings are those
 * that TypeScript has judged already; most have none.
 */
export const up = `
  create index games_waiting on games (game_type, stake_amount, time_limit, fee_bps, created_at)
    where status = 'waiting' and pairing is null;
  create index games_missed on games (cancelled_by, completed_at) where cancelled_by is not null and started_at is not null;

  -- A posting joins an entry of its own transaction. Checked once for all rows of a statement.
  drop trigger ledger_joined on ledger_postings;
  create or replace function ledger_check_posting() returns trigger language plpgsql as $$
  declare
    stray bigint;
  begin
    select posting.entry_id into stray from added posting
    where (select entry.xmin = pg_current_xact_id()::xid from ledger_entries entry where entry.id = posting.entry_id) is not true
    limit 1;
    if stray is null then return null; end if;
    raise exception 'a posting cannot join entry %, which this transaction did not write', stray
      using errcode = 'foreign_key_violation';
  end $$;
  create trigger ledger_joined after insert on ledger_postings referencing new table as added
    for each statement execute function ledger_check_posting();

  -- Takes the locks of the jobs, in one order: games, players, terms, wallets, sessions. Returns the jobs that wait for
  -- another transaction. With \`waits\` it waits for them itself.
  create function lifecycle_lock(batch jsonb, waits boolean) returns int[] language plpgsql as $$
  declare
    busy int[];
  begin
    if waits then
      perform from jsonb_to_recordset(batch->'games') as change(id uuid, version int)
        join games game on game.id = change.id where change.version > 0 order by game.id for update of game;
      perform case person.role when 'seat' then pg_advisory_xact_lock(730, hashtext(person.player)) end,
        case when person.role <> 'payee' then pg_advisory_xact_lock_shared(470, hashtext(person.player)) end
      from (select player, role from jsonb_to_recordset(batch->'people') as p(player text, role text) order by player) as person;
      perform pg_advisory_xact_lock(hashtext(search.terms)) from jsonb_to_recordset(batch->'searches') as search(terms text);
      perform from jsonb_to_recordset(batch->'postings') as posting(kind text, owner text)
        join ledger_accounts account on account.kind = 'wallet' and account.owner = posting.owner
        where posting.kind = 'wallet' order by account.id for no key update of account;
      perform from jsonb_to_recordset(batch->'sessions') as own(token text)
        join auth_sessions session on session.token = own.token for key share of session;
      return '{}';
    end if;
    select array_agg(change.job) into busy
    from jsonb_to_recordset(batch->'games') as change(job int, id uuid, version int)
    where change.version > 0 and (select true from games game where game.id = change.id for update skip locked) is null;
    select busy || array_agg(person.job) into busy
    from jsonb_to_recordset(batch->'people') as person(job int, player text, role text)
    where case person.role
      when 'payee' then false
      when 'seat' then not (pg_try_advisory_xact_lock(730, hashtext(person.player))
        and pg_try_advisory_xact_lock_shared(470, hashtext(person.player)))
      else not pg_try_advisory_xact_lock_shared(470, hashtext(person.player)) end;
    select busy || array_agg(search.job) into busy
    from jsonb_to_recordset(batch->'searches') as search(job int, terms text)
    where not pg_try_advisory_xact_lock(hashtext(search.terms));
    select busy || array_agg(posting.job) into busy
    from jsonb_to_recordset(batch->'postings') as posting(job int, kind text, owner text)
    where posting.kind = 'wallet' and (select true from ledger_accounts account
      where account.kind = 'wallet' and account.owner = posting.owner for no key update skip locked) is null;
    select busy || array_agg(own.job) into busy
    from jsonb_to_recordset(batch->'sessions') as own(job int, token text)
    where (select true from auth_sessions session where session.token = own.token for key share skip locked) is null
      and (select true from auth_sessions session where session.token = own.token);
    return coalesce(busy, '{}');
  end $$;

  -- What speaks against a job, one row each. The locks are held, so it stays true until the commit.
  create function lifecycle_findings(batch jsonb) returns table (job int, finding jsonb) language plpgsql as $$
  #variable_conflict use_column
  begin
    return query
      select change.job, '{"type":"stale"}'::jsonb
      from jsonb_to_recordset(batch->'games') as change(job int, id uuid, version int)
      where change.version > 0
        and (select game.version from games game where game.id = change.id) is distinct from change.version;
    return query
      select fact.job, jsonb_strip_nulls(to_jsonb(fact) - 'job') || '{"type":"person"}'
      from (
        select person.job, person.player, person.role,
          case when person.role <> 'payee' then (select true from player_blocks ban where ban.player_id = person.player) end as banned,
          case when person.role <> 'payee' then
            (select true from closing_accounts closing where closing.player_id = person.player) end as closing,
          case when person.role <> 'payee' then
            (select max(until_at) from self_exclusions exclusion
              where exclusion.player_id = person.player and exclusion.until_at > person.at) end as excluded_until,
          case when person.role <> 'payee' then
            (select true from deposit_disputes dispute
              where dispute.player_id = person.player and dispute.until_at is null limit 1) end as disputed,
          (select (-sum(posting.amount))::text
            from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
            where account.kind = 'debts' and account.owner = person.player having sum(posting.amount) < 0) as debt,
          case when person.role = 'seat' then
            (select nullif(newest.text is not null, false) from maintenance_changes newest order by newest.id desc limit 1) end
            as maintenance,
          case when person.role = 'seat' then
            (select jsonb_build_object('value', own.value, 'nextValue', own.next_value, 'nextAt', own.next_at) from player_limits own
              where own.player_id = person.player and own.kind = 'stake' and own.value is not null) end as stake_limit,
          case when person.role = 'seat' and (select true from games missed where missed.cancelled_by = person.player
              and missed.started_at is not null and missed.completed_at > person.missed_since limit 1)
            then game_ends_missed(person.player, person.missed_games) end as missed,
          case when person.role = 'seat' then
            (select jsonb_build_object('content', earlier.content, 'gameId', earlier.game_id) from game_commands earlier
              where earlier.player_id = person.player and earlier.command_id = person.command) end as command,
          case when person.role = 'seat' then
            (select jsonb_build_object('gameId', game.id, 'status', game.status)
              from seats seat join games game on game.id = seat.game_id where seat.player_id = person.player) end as open_game,
          (select account.balance::text from ledger_accounts account
            where account.kind = 'wallet' and account.owner = person.player and account.balance < person.need) as have
        from jsonb_to_recordset(batch->'people')
          as person(job int, player text, role text, at bigint, command text, need bigint, missed_since bigint, missed_games int)
      ) as fact
      where num_nonnulls(banned, closing, excluded_until, disputed, debt, maintenance, stake_limit, missed, command, open_game, have) > 0;
    return query
      select pair.job, '{"type":"never_paired"}'::jsonb
      from jsonb_to_recordset(batch->'pairs') as pair(job int, one text, other text)
      where coalesce(
        (select true from player_relations r where r.player_id = pair.one and r.other_id = pair.other and r.blocked),
        (select true from player_relations r where r.player_id = pair.other and r.other_id = pair.one and r.blocked),
        (select true from shared_bank_accounts shared
          where shared.player_id = least(pair.one, pair.other) and shared.other_id = greatest(pair.one, pair.other)),
        false);
    return query
      select own.job, jsonb_build_object('type', 'session_ended', 'player', own.player)
      from jsonb_to_recordset(batch->'sessions') as own(job int, player text, token text, at timestamptz, started_after timestamptz)
      where (select true from auth_sessions session
        where session.token = own.token and session.expires_at > own.at and session.created_at > own.started_after) is null;
    return query
      select search.job, jsonb_build_object('type', 'waiting', 'gameId', game.id)
      from jsonb_to_recordset(batch->'searches')
        as search(job int, game_type text, stake int, time_limit int, fee_bps int, player text, known uuid[])
        join games game on game.status = 'waiting' and game.pairing is null and game.game_type = search.game_type
          and game.stake_amount = search.stake and game.time_limit = search.time_limit and game.fee_bps = search.fee_bps
      where game.player1_id <> search.player and game.id <> all (search.known);
  end $$;

  -- The ends of those of a player's newest started games that the player cancelled or missed (ruling 17).
  create function game_ends_missed(player text, newest_games int) returns jsonb language sql stable as $$
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

  create function lifecycle_write_games(batch jsonb, jobs int[]) returns void language plpgsql as $$
  declare
    wrong text;
  begin
    insert into games select game.*
    from jsonb_array_elements(batch->'games') as change(item)
      cross join lateral jsonb_populate_record(null::games, change.item->'row') as game
    where (change.item->>'job')::int = any (jobs) and (change.item->>'version')::int = 0;
    update games game set version = next.version, status = next.status, player2_id = next.player2_id, pairing = next.pairing,
      board_state = next.board_state, move_count = next.move_count, current_turn = next.current_turn,
      player1_captures = next.player1_captures, player2_captures = next.player2_captures,
      player1_remaining_ms = next.player1_remaining_ms, player2_remaining_ms = next.player2_remaining_ms,
      winner_id = next.winner_id, end_reason = next.end_reason, cancelled_by = next.cancelled_by, deadline_at = next.deadline_at,
      updated_at = next.updated_at, started_at = next.started_at, completed_at = next.completed_at
    from jsonb_array_elements(batch->'games') as change(item)
      cross join lateral jsonb_populate_record(null::games, change.item->'row') as next
    where (change.item->>'job')::int = any (jobs) and (change.item->>'version')::int > 0
      and game.id = (change.item->>'id')::uuid;
    insert into game_log (game_id, version, format, entry, at, hash)
    select line.game_id, line.version, line.format, line.entry, line.at, line.hash
    from jsonb_to_recordset(batch->'logs')
      as line(job int, game_id uuid, version int, format smallint, entry text, at bigint, hash text)
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
    from jsonb_to_recordset(batch->'people') as person(job int, player text, role text, game_id uuid, seat smallint)
    where person.role = 'seat' and person.job = any (jobs);
    insert into game_commands (player_id, command_id, content, game_id, at)
    select person.player, person.command, person.content, person.game_id, person.at
    from jsonb_to_recordset(batch->'people') as person(job int, player text, command text, content text, game_id uuid, at bigint)
    where person.command is not null and person.job = any (jobs);
  end $$;

  -- Posts the entries of the jobs. Entries of one job that change the same account are in separate waves. Wallets are
  -- locked. A missing account is a fault, except an escrow, which its first stake opens. What settles a game empties its
  -- escrow, to players who staked on it.
  create function ledger_post_batch(batch jsonb, jobs int[]) returns void language plpgsql as $$
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

  -- Carries out the jobs of a batch and returns which of them are busy (locked by others), what was found against which,
  -- which are committed, and the wallets that changed. With \`waits\` it waits for locks: for one job alone. The settings
  -- keep plans that suit tables of any size.
  create function lifecycle_commit(batch jsonb, waits boolean) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
  declare
    busy int[];
    found_against jsonb;
    jobs int[];
  begin
    busy := lifecycle_lock(batch, waits);
    select jsonb_object_agg(f.job, f.findings) into found_against from (
      select found.job, jsonb_agg(found.finding order by found.finding) as findings
      from lifecycle_findings(batch) found where found.job <> all (busy) group by found.job
    ) as f;
    jobs := array(select j.job from jsonb_to_recordset(batch->'jobs') as j(job int, judged jsonb)
      where j.job <> all (busy) and found_against->(j.job::text) is not distinct from j.judged);
    if cardinality(jobs) > 0 then
      perform lifecycle_write_games(batch, jobs);
      perform ledger_post_batch(batch, jobs);
    end if;
    return jsonb_build_object('busy', busy, 'found', found_against, 'committed', jobs, 'wallets', (
      select jsonb_agg(jsonb_build_object('job', changed.job, 'playerId', changed.owner, 'balance', account.balance::text,
        'sequence', account.sequence))
      from (select distinct p.job, p.owner from jsonb_to_recordset(batch->'postings') as p(job int, kind text, owner text)
          where p.kind = 'wallet' and p.job = any (jobs)) as changed
        join ledger_accounts account on account.kind = 'wallet' and account.owner = changed.owner));
  end $$;
`;
