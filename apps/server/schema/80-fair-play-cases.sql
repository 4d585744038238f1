-- What people decide about coins that look unfairly won. Instants are ms since 1970, sums micro-coins.

-- `until_at`: up to when its coins are marked, 72 hours at most (ruling 44); null: it holds nothing. `finding`: what the signals
-- said at that moment. `concerned`: all players whom it is about; members of staff among them do not see it.
create table fair_play_cases (
  id text primary key check (id ~ '^[0-9a-f-]{36}$'),
  player_id text not null check (length(player_id) between 8 and 36),
  kind text not null check (kind in ('flow', 'engine', 'dispute', 'listed', 'review')),
  state text not null check (state in ('open', 'released', 'cleared', 'forfeited', 'closed')),
  opened_at bigint not null,
  until_at bigint check (until_at between opened_at and opened_at + 259200000),
  ended_at bigint check (ended_at >= opened_at),
  coins bigint not null check (coins >= 0),
  deposit_ids bigint[] not null,
  game_ids uuid[] not null,
  payment_id uuid,
  concerned text[] not null,
  finding jsonb not null,
  check ((state = 'open') = (ended_at is null)),
  check (state <> 'forfeited' or kind in ('flow', 'engine')),
  check ((kind = 'dispute') = (payment_id is not null)),
  check ((until_at is null) = (kind in ('listed', 'review')))
);
create index fair_play_cases_open on fair_play_cases (until_at, opened_at, id) where state = 'open';
create index fair_play_cases_ended on fair_play_cases (ended_at desc, id) where state <> 'open';
create index fair_play_cases_of_player on fair_play_cases (player_id, opened_at);
create index fair_play_cases_of_games on fair_play_cases using gin (game_ids);
create unique index fair_play_cases_of_dispute on fair_play_cases (payment_id) where state = 'open';
create trigger fair_play_cases_stay before update of id, player_id, kind, opened_at, until_at, coins, deposit_ids, game_ids, payment_id,
  concerned, finding or truncate on fair_play_cases for each statement execute function fair_play_refuse_change();

-- What was said and done about a case, in order. `by_id`: null for the server itself.
create table fair_play_acts (
  id bigint generated always as identity primary key,
  case_id text not null references fair_play_cases (id) on delete cascade,
  type text not null check (type in ('note', 'proposed', 'withdrawn', 'cleared', 'forfeited', 'released', 'closed', 'message', 'appealed',
    'appeal_answered')),
  by_id text check (length(by_id) between 8 and 36),
  at bigint not null,
  text text check (length(text) between 1 and 1000),
  figures jsonb,
  audit_event_id bigint references audit_events (id) unique,
  check ((type in ('released', 'closed')) = (by_id is null)),
  check ((type in ('proposed', 'withdrawn', 'cleared', 'forfeited', 'appeal_answered')) = (audit_event_id is not null))
);
create index fair_play_acts_of_case on fair_play_acts (case_id, id);
create index fair_play_acts_of_player on fair_play_acts (by_id, id) where type in ('message', 'appealed');
create unique index fair_play_acts_end on fair_play_acts (case_id) where type in ('cleared', 'forfeited', 'released', 'closed');
create unique index fair_play_acts_appeal on fair_play_acts (case_id) where type = 'appealed';
create unique index fair_play_acts_answer on fair_play_acts (case_id) where type = 'appeal_answered';
create trigger fair_play_acts_append_only before update or truncate on fair_play_acts
  for each statement execute function fair_play_refuse_change();
create trigger fair_play_acts_kept before delete on fair_play_acts
  for each row execute function fair_play_acts_keep();
