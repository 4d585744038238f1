/**
 * Ledger histories by SQL alone, through the ledger's one way of posting: deposits as needed, games
 * of four stakes between players of very different activity, withdrawals of old coins.
 */
export const SEED = `
create or replace function bench_post(kind text, source text, game text, at timestamptz, postings jsonb) returns void
  language plpgsql as $$
begin
  if ledger_post(jsonb_build_object(
    'entries', jsonb_build_array(jsonb_build_object('job', 0, 'wave', 1, 'kind', kind, 'source', source, 'settled_game', game,
      'at', at, 'details', '{}', 'content_hash', repeat('0', 64))),
    'postings', (select jsonb_agg(line || jsonb_build_object('job', 0, 'wave', 1, 'entry_kind', kind, 'source', source,
      'settled_game', game, 'at', at)) from jsonb_array_elements(postings) line)), '{0}') is null then
    raise exception 'entry % % was posted before', kind, source;
  end if;
end $$;

create or replace function bench_line(kind text, owner text, amount bigint) returns jsonb language sql immutable as $$
  select jsonb_build_object('kind', kind, 'owner', owner, 'amount', amount::text)
$$;

create or replace procedure bench_seed(games int, players int, withdrawals int) language plpgsql as $$
declare
  began timestamptz := '2026-01-01';
  at timestamptz;
  balances bigint[] := array_fill(0::bigint, array[players]);
  pair int[];
  game text;
  total bigint;
  buy_in bigint;
  paid bigint;
begin
  perform setseed(0.49);
  insert into ledger_accounts (kind, owner, balance, opened_at)
  select 'wallet', 'player-' || number, 0, began from generate_series(1, players) number;
  for number in 1 .. games loop
    at := began + number * interval '30 seconds';
    game := md5('game-' || number)::uuid;
    pair := array[1 + floor(players * power(random(), 3))::int, 1 + floor(players * power(random(), 3))::int];
    if pair[1] = pair[2] then pair[2] := 1 + pair[1] % players; end if;
    total := (array[1, 1, 2, 5, 10])[1 + floor(5 * random())::int] * 16000000::bigint;
    buy_in := total * 1074 / 1000;
    for seat in 1 .. 2 loop
      if balances[pair[seat]] < buy_in then
        paid := (200 + floor(600 * random()))::bigint * 1000000;
        balances[pair[seat]] := balances[pair[seat]] + paid;
        perform bench_post('deposit', 'deposit-' || number || '-' || seat, null, at, jsonb_build_array(
          bench_line('wallet', 'player-' || pair[seat], paid), bench_line('deposit_clearing', '', -paid)));
      end if;
      balances[pair[seat]] := balances[pair[seat]] - buy_in;
      perform bench_post('stake', game || ':' || seat, null, at, jsonb_build_array(
        bench_line('wallet', 'player-' || pair[seat], -buy_in), bench_line('escrow', game, buy_in)));
    end loop;
    -- The busier of the two wins more often.
    if (random() < 0.55) = (pair[1] > pair[2]) then pair := array[pair[2], pair[1]]; end if;
    balances[pair[1]] := balances[pair[1]] + 2 * total;
    perform bench_post('win', game, game, at, jsonb_build_array(bench_line('escrow', game, -2 * buy_in),
      bench_line('wallet', 'player-' || pair[1], 2 * total), bench_line('revenue', '', 2 * (buy_in - total))));
    if number * withdrawals::bigint / games > (number - 1) * withdrawals::bigint / games then
      paid := floor(balances[pair[1]] * (0.2 + 0.8 * random()))::bigint;
      balances[pair[1]] := balances[pair[1]] - paid;
      perform bench_post('withdrawal', 'withdrawal-' || number, null, at, jsonb_build_array(
        bench_line('wallet', 'player-' || pair[1], -paid), bench_line('withdrawal_clearing', '', paid)));
    end if;
    if number % 1000 = 0 then commit; end if;
  end loop;
end $$;

-- What play leaves beside the ledger: games, changes of ratings, screenings, and who used which device and network.
create or replace procedure bench_play() language plpgsql as $$
begin
  insert into players (id, email, updated_at)
  select owner, owner || '@example.com', opened_at from ledger_accounts where kind = 'wallet';
  insert into profiles (id, username, created_at, updated_at)
  select owner, owner, opened_at, opened_at from ledger_accounts where kind = 'wallet';
  create temporary table played as
  select won.settled_game::uuid as id, row_number() over (order by won.id) as number, (extract(epoch from won.at) * 1000)::bigint as at,
    (-first.amount / 16000000 / 1.074)::int as stake, player1.owner as player1, player2.owner as player2,
    case when one.amount is null then player2.owner else player1.owner end as winner
  from ledger_entries won
    join ledger_entries stake1 on stake1.kind = 'stake' and stake1.source = won.settled_game || ':1'
    join ledger_entries stake2 on stake2.kind = 'stake' and stake2.source = won.settled_game || ':2'
    join ledger_postings first on first.entry_id = stake1.id and first.amount < 0
    join ledger_postings second on second.entry_id = stake2.id and second.amount < 0
    join ledger_accounts player1 on player1.id = first.account_id
    join ledger_accounts player2 on player2.id = second.account_id
    left join ledger_postings one on one.entry_id = won.id and one.account_id = player1.id
  where won.kind = 'win';
  insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, winner_id,
    end_reason, pairing, created_at, started_at, completed_at)
  select id, 'chess', 'completed', player1, player2, stake, 740, 0, 300, winner,
    case number % 3 when 0 then 'resignation' when 1 then 'time' else 'checkmate' end,
    case number % 4 when 0 then 'address' else 'matchmaking' end, at - 600000, at - 590000, at from played;
  update game_screenings set at = ended_at, version = 1, final_score = case when hashtext(game_id::text) % 12 = 0 then 0 else -700 end;
  insert into rating_changes (game_id, player_id, game_type, pool, games, score, opponent_id, opponent_rating, opponent_deviation,
    rating, deviation, volatility, rated_at)
  select id, own, 'chess', 'staked', row_number() over (partition by own order by number), (own = winner)::int, other, 1500, 80,
    1500, 80, 0.06, at
  from played cross join lateral (values (player1, player2), (player2, player1)) as side (own, other);
  -- A tenth share a device; each is in a network of some hundred for thirty hours.
  insert into account_traces (player_id, kind, keyed_hash, first_at, last_at, uses)
  select owner, 'device', rpad('device' || number / (1 + (number % 10 = 0)::int), 43, 'x'), 0, 1798761600000, 2
  from (select owner, substr(owner, 8)::int as number from ledger_accounts where kind = 'wallet') player
  union all
  select owner, 'network', rpad('network' || hashtext(owner || hour) % 20 || 'h' || hour, 43, 'x'), 1798761600000, 1798761600000, 1
  from ledger_accounts cross join generate_series(1, 30) hour where kind = 'wallet';
end $$;
`;
