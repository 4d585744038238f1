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
    game := 'game-' || number;
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
`;
