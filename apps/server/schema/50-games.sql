-- Games, their logs and seats. Instants are ms since 1970.

-- What starts, joins and ends of a game write. What each record changes is in `game_log` (view `current_games`).
-- Stake in holocoins a piece (0: a free game), fee in micro-coins, time limit in seconds. `deadline_at`: while it waits.
-- `near_rating`: while it waits, matchmaking keeps to a band around its creator's rating.
-- `owner`: the server that may write it; null while it waits, and after a release. No index has it.
-- `unserved_from`: since when an active game has no server, until its log has the credit.
create table games (
  id uuid primary key,
  game_type text not null check (game_type ~ '^[a-z_]{1,20}$'),
  status text not null check (status in ('waiting', 'active', 'completed', 'timeout', 'cancelled')),
  player1_id text not null,
  player2_id text,
  stake_amount smallint not null check (stake_amount >= 0),
  fee_bps smallint not null check (fee_bps between 0 and 10000),
  platform_fee bigint not null check (platform_fee >= 0),
  time_limit int not null check (time_limit > 0),
  winner_id text,
  end_reason text,
  cancelled_by text,
  deadline_at bigint,
  created_at bigint not null,
  started_at bigint,
  completed_at bigint,
  pairing text check (pairing in ('matchmaking', 'address', 'invitation', 'rematch')),
  near_rating boolean not null default false,
  owner uuid,
  unserved_from bigint,
  check (stake_amount > 0 or (fee_bps = 0 and platform_fee = 0)),
  check (player2_id <> player1_id),
  check (winner_id = player1_id or winner_id = player2_id),
  check (cancelled_by = player1_id or cancelled_by = player2_id),
  check ((status in ('waiting', 'active')) = (completed_at is null)),
  check (status <> 'waiting' or (player2_id is null and owner is null)),
  check (deadline_at is null or status = 'waiting'),
  check (unserved_from is null or status = 'active'),
  check (status not in ('active', 'completed', 'timeout') or (player2_id is not null and started_at is not null))
) with (fillfactor = 90);
create index games_by_player1 on games (player1_id, created_at desc);
create index games_by_player2 on games (player2_id, created_at desc);
create index games_by_terms on games (game_type, stake_amount, time_limit, created_at desc, id desc);
create index games_by_time on games (created_at desc);
create index games_ended on games (completed_at) where status in ('completed', 'timeout');
create index games_missed on games (cancelled_by, completed_at) where cancelled_by is not null and started_at is not null;
create index games_open on games (created_at) where status in ('waiting', 'active');
create index games_waiting on games (game_type, stake_amount, time_limit, fee_bps, created_at) where status = 'waiting' and pairing is null;
create trigger games_count_ended after update of status on games
  for each row when (old.status not in ('completed', 'timeout') and new.status in ('completed', 'timeout')) execute function count_outcome();
create trigger games_count_inserted after insert on games
  for each row when (new.status in ('completed', 'timeout')) execute function count_outcome();

-- What the engine says about ended staked games, for fair play: the rows are its only queue. Without `at` a game waits for
-- the score of its last position: the engine's for the loser of a game that ended by resignation or time, in hundredths of a
-- man or pawn; null for other ends. `moves_wanted`: each move is to be judged too. Figures of both sides, scores and times by move.
create table game_screenings (
  game_id uuid primary key,
  ended_at bigint not null,
  claimed_until bigint,
  at bigint,
  version smallint,
  final_score int,
  moves_wanted text check (moves_wanted in ('asked', 'sampled')),
  white jsonb,
  black jsonb,
  evaluation jsonb,
  constraint game_screenings_at_whole check ((at is null) = (version is null)),
  constraint game_screenings_moves_whole check ((white is null) = (black is null) and (white is null) = (evaluation is null))
);
create index game_screenings_due on game_screenings (moves_wanted, ended_at) where at is null;
create index game_screenings_moves_due on game_screenings (moves_wanted, ended_at) where moves_wanted is not null and white is null and at is not null;
create index game_screenings_sampled on game_screenings (ended_at) where moves_wanted = 'sampled' and white is not null;
create trigger games_await_screening_ended after update of status on games
  for each row when (new.stake_amount > 0 and old.status not in ('completed', 'timeout') and new.status in ('completed', 'timeout'))
  execute function await_screening();
create trigger games_await_screening_inserted after insert on games
  for each row when (new.stake_amount > 0 and new.status in ('completed', 'timeout')) execute function await_screening();

-- The evidence: append only, chained by hash. A move is one row. The columns from `board_state` on follow from the log up
-- to this record.
create table game_log (
  game_id uuid not null,
  version int not null check (version >= 1),
  format smallint not null,
  record text not null check (length(record) <= 2000),
  at bigint not null,
  hash text not null check (length(hash) = 64),
  board_state text not null check (length(board_state) <= 200),
  move_count int not null check (move_count >= 0),
  player1_captures smallint not null,
  player2_captures smallint not null,
  player1_remaining_ms int not null check (player1_remaining_ms >= 0),
  player2_remaining_ms int not null check (player2_remaining_ms >= 0),
  primary key (game_id, version)
);
create trigger game_log_append_only before delete or update or truncate on game_log
  for each statement execute function game_log_refuse_change();

-- Games as they are now, with what their newest record left.
create view current_games as
select game.*, newest.version, newest.board_state, newest.move_count, newest.move_count + 1 as current_turn,
  newest.player1_captures, newest.player2_captures, newest.player1_remaining_ms, newest.player2_remaining_ms,
  newest.at as updated_at
from games game cross join lateral (
  select * from game_log record where record.game_id = game.id order by record.version desc limit 1) newest;

-- A player has one open game.
create table seats (
  player_id text primary key,
  game_id uuid not null references games (id),
  seat smallint not null check (seat in (1, 2)),
  unique (game_id, seat)
);

-- Commands that took a seat: sent again they get the same answer.
create table game_commands (
  player_id text not null,
  command_id text not null check (length(command_id) between 8 and 36),
  content text not null check (length(content) <= 100),
  game_id uuid not null,
  at bigint not null,
  primary key (player_id, command_id)
);
create index game_commands_by_time on game_commands (at);

-- How each player's games ended, counted by a trigger in the statement that ends a game. Statistics use the staked ones.
create table player_outcomes (
  player_id text not null,
  game_type text not null check (game_type ~ '^[a-z_]{1,20}$'),
  pool text not null check (pool in ('staked', 'free')),
  wins int not null check (wins >= 0),
  losses int not null check (losses >= 0),
  draws int not null check (draws >= 0),
  primary key (player_id, game_type, pool)
);

-- Glicko-2 after each player's newest rated game, one per game type and pool. Follows from the games: `holo admin
-- rebuild-ratings` computes it again. `deviation` is as of `rated_at` and grows with the time since then.
create table ratings (
  player_id text not null,
  game_type text not null check (game_type ~ '^[a-z_]{1,20}$'),
  pool text not null check (pool in ('staked', 'free')),
  rating double precision not null,
  deviation double precision not null check (deviation > 0),
  volatility double precision not null check (volatility > 0),
  games int not null check (games > 0),
  rated_at bigint not null,
  primary key (player_id, game_type, pool)
);
create index ratings_in_order on ratings (game_type, pool, rating desc);

-- What each rated game did to the ratings of its two players. `opponent_rating` and `opponent_deviation` are those
-- before the game, `games` counts up to it.
create table rating_changes (
  game_id uuid not null,
  player_id text not null,
  game_type text not null,
  pool text not null,
  games int not null check (games > 0),
  score real not null check (score in (0, 0.5, 1)),
  opponent_id text not null,
  opponent_rating double precision not null,
  opponent_deviation double precision not null,
  rating double precision not null,
  deviation double precision not null,
  volatility double precision not null,
  rated_at bigint not null,
  primary key (player_id, game_id)
);
create unique index rating_changes_in_order on rating_changes (player_id, game_type, pool, games) include (score);
create index rating_changes_by_game on rating_changes (game_id);
create index rating_changes_by_pair on rating_changes (player_id, opponent_id) include (score);
create index rating_changes_won on rating_changes (rated_at) where pool = 'staked' and score = 1;

-- Numbered from 1 in each game. Without a reference to `games`, which would lock the row that moves change.
create table chat_messages (
  game_id uuid not null,
  number int not null check (number between 1 and 1000),
  id text generated always as (game_id::text || ':' || number::text) stored,
  sender_id text not null,
  command_id text not null check (length(command_id) between 8 and 36),
  message text not null check (length(message) between 1 and 200 and message = btrim(message) and message !~ '[[:cntrl:]]'),
  created_at bigint not null,
  primary key (game_id, number),
  unique (sender_id, command_id)
);
create trigger chat_messages_append_only before delete or update or truncate on chat_messages
  for each statement execute function chat_messages_refuse_change();

-- What players report, and how staff ended it.
create table reports (
  id uuid primary key,
  reporter_id text not null,
  game_id uuid not null references games (id),
  player_id text,
  reason text not null check (reason in ('cheating', 'abuse', 'stalling', 'fault', 'other')),
  text text not null check (length(text) <= 500),
  state text not null default 'open' check (state in ('open', 'closed')),
  created_at timestamptz not null,
  outcome text check (outcome in ('acted', 'nothing_found', 'unclear')),
  note text check (length(note) between 1 and 500),
  ended_at bigint,
  audit_event_id bigint references audit_events (id) unique,
  check (player_id <> reporter_id),
  constraint reports_ended_whole check ((state = 'closed') = (outcome is not null) and (state = 'closed') = (note is not null)
    and (state = 'closed') = (ended_at is not null) and (state = 'closed') = (audit_event_id is not null))
);
create index reports_by_player on reports (player_id, created_at);
create index reports_by_reporter on reports (reporter_id, created_at);
create index reports_open on reports (created_at) where state = 'open';
