/**
 * Games and their logs. `games` is the current row, changed by every move: no index stands on a column that a move changes, so that the
 * updates stay heap-only. `game_log` is the evidence: append only, chained by hash. `seats` lets a player hold one open game. Instants are
 * integer milliseconds.
 */
export const up = `
  create table games (
    id uuid primary key,
    game_type text not null check (game_type in ('checkers', 'chess')),
    status text not null check (status in ('waiting', 'active', 'completed', 'timeout', 'cancelled')),
    player1_id text not null,
    player2_id text check (player2_id <> player1_id),
    stake_amount smallint not null check (stake_amount in (1, 2, 5, 10)),
    fee_bps smallint not null check (fee_bps between 0 and 10000),
    platform_fee bigint not null check (platform_fee >= 0),
    time_limit integer not null check (time_limit in (300, 600)),
    board_state text not null check (length(board_state) <= 200),
    current_turn integer not null check (current_turn >= 1),
    move_count integer not null check (move_count >= 0),
    player1_captures smallint not null default 0,
    player2_captures smallint not null default 0,
    player1_remaining_ms integer not null check (player1_remaining_ms >= 0),
    player2_remaining_ms integer not null check (player2_remaining_ms >= 0),
    winner_id text check (winner_id in (player1_id, player2_id)),
    end_reason text,
    cancelled_by text check (cancelled_by in (player1_id, player2_id)),
    version integer not null check (version >= 1),
    deadline_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    started_at bigint,
    completed_at bigint,
    check ((status in ('waiting', 'active')) = (completed_at is null)),
    check (status <> 'waiting' or player2_id is null),
    check (status not in ('active', 'completed', 'timeout') or (player2_id is not null and started_at is not null))
  ) with (fillfactor = 70);
  create index games_open on games (created_at) where status in ('waiting', 'active');
  create index games_by_time on games (created_at desc);
  create index games_by_player1 on games (player1_id, created_at desc);
  create index games_by_player2 on games (player2_id, created_at desc);

  create table game_log (
    game_id uuid not null,
    version integer not null check (version >= 1),
    format smallint not null,
    entry text not null check (length(entry) <= 2000),
    at bigint not null,
    hash text not null check (length(hash) = 64),
    primary key (game_id, version)
  );
  create function game_log_refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the log of games is append only: % refused', tg_op using errcode = 'restrict_violation';
  end $$;
  create trigger game_log_append_only before update or delete or truncate on game_log
    for each statement execute function game_log_refuse_change();

  create table seats (
    player_id text primary key,
    game_id uuid not null references games (id),
    seat smallint not null check (seat in (1, 2)),
    unique (game_id, seat)
  );

  create table game_commands (
    player_id text not null,
    command_id text not null check (length(command_id) between 8 and 36),
    content text not null check (length(content) <= 100),
    game_id uuid not null,
    at bigint not null,
    primary key (player_id, command_id)
  );
`;
