/**
 * The specification's entities (section 3) under their own names and with their fields, in a schema of their own: tables of ours have some of
 * those names with other fields. Coins are HC, times are timestamptz, clocks are seconds. Who looks into the database reads them; the
 * server reads none of them, and nobody writes to any: each refuses it, those too that PostgreSQL would write through.
 *
 * `user_roles` is read by the server where it stands, so that it is shown here and not moved. `realtime_stats` is what the server last
 * counted, written by it at most once a second; what a killed server leaves behind stands until the next one starts, and says of when it is.
 */
export const up = `
  create table realtime_stats (
    id smallint primary key default 1 check (id = 1),
    players_online integer not null check (players_online >= 0),
    games_playing integer not null check (games_playing >= 0),
    updated_at bigint not null
  );

  create schema spec;
  alter view draw_offers set schema spec;
  alter view takeback_requests set schema spec;
  alter view rematch_offers set schema spec;
  alter view game_moves set schema spec;
  alter view transactions set schema spec;
  alter view system_settings set schema spec;
  -- What it names is ours, whatever schema its reader looks into first.
  alter function game_moves_of(uuid) set search_path = public;

  create view spec.profiles as
    select profile.id, profile.username,
      coalesce((select wallet.balance from ledger_accounts wallet where wallet.kind = 'wallet' and wallet.owner = profile.id), 0)::numeric
        / 1000000 as wallet_balance,
      coalesce((select sum(ended.wins + ended.losses + ended.draws) from player_outcomes ended where ended.player_id = profile.id), 0)::int
        as games_played,
      coalesce((select sum(ended.wins) from player_outcomes ended where ended.player_id = profile.id), 0)::int as games_won,
      profile.notifications_enabled, profile.updated_at
    from profiles profile;

  create view spec.games as
    select g.id, g.player1_id, g.player2_id, g.game_type, g.status, g.stake_amount, g.platform_fee::numeric / 1000000 as platform_fee,
      g.time_limit, g.board_state, g.current_turn, g.move_count, g.winner_id,
      g.player1_remaining_ms::numeric / 1000 as player1_time_remaining,
      g.player2_remaining_ms::numeric / 1000 as player2_time_remaining,
      g.player1_captures, g.player2_captures,
      -- Some entries leave the clocks as they are, such as an offer.
      (select to_timestamp(max(clocked.at) / 1000.0) from game_events clocked
        where clocked.game_id = g.id and clocked.event ? 'remainingMs') as timer_last_updated,
      to_timestamp(g.created_at / 1000.0) as created_at, to_timestamp(g.updated_at / 1000.0) as updated_at,
      to_timestamp(g.started_at / 1000.0) as started_at, to_timestamp(g.completed_at / 1000.0) as completed_at
    from games g;

  create view spec.chat_messages as
    select id, game_id, sender_id, message, to_timestamp(created_at / 1000.0) as created_at from chat_messages;

  create view spec.user_roles as select user_id, role from user_roles;

  create view spec.admin_emails as
    select id, email, to_timestamp(created_at / 1000.0) as created_at from admin_emails;

  create view spec.realtime_stats as
    select id, players_online, games_playing, to_timestamp(updated_at / 1000.0) as updated_at from realtime_stats;

  create function spec.refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is for reading: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end $$;
  do $$
  declare
    entity text;
  begin
    for entity in select viewname from pg_views where schemaname = 'spec' loop
      execute format('create trigger read_only instead of insert or update or delete on spec.%I for each row
        execute function spec.refuse_change()', entity);
    end loop;
  end $$;
`;
