-- Servers, their outages, mails on their way, limits of attempts, backups.

-- One row for each id of a server: its start, and each time that it was ended while it ran. Ended is final:
-- whatever writes games locks the own row `for share` and needs it unended, so every update that ends it waits.
-- `process` names its sessions, `place` its process on its machine. Instants without a type are ms since 1970.
create table servers (
  server_id uuid primary key,
  process uuid not null,
  place text not null,
  name text not null check (length(name) between 1 and 255),
  is_shared boolean not null default false,
  started_at timestamptz not null,
  serving_at timestamptz,
  ended_at bigint,
  last_beat_at bigint,
  end_cause text check (end_cause in ('stopped', 'gone', 'stalled')),
  check ((ended_at is null) = (last_beat_at is null) and (ended_at is null) = (end_cause is null))
);
create index servers_unended on servers (server_id) where ended_at is null;

-- Changed twice a second, so apart from `servers`. A counter that stands still ends its server. `seen_at`: ms
-- since 1970 by the server's own clock, for the next start; servers that run do not compare it.
create table server_beats (
  server_id uuid primary key references servers (server_id) on delete cascade,
  beats bigint not null,
  seen_at bigint not null,
  has_nats boolean not null,
  takes_players boolean not null
) with (fillfactor = 50);

-- Who is connected to which of several servers, for as long as that server is not ended.
create unlogged table online_players (
  server_id uuid not null,
  player_id text not null,
  primary key (server_id, player_id)
);

-- Finished outages that concerned everyone; games that are not in memory are credited when they are loaded.
create table outages (
  from_at timestamptz not null,
  to_at timestamptz not null,
  cause text not null check (cause in ('restart', 'database', 'stall')),
  check (to_at > from_at)
);
create unique index outages_by_end on outages (to_at, from_at, cause);

-- Mails, written with their cause and sent after it. The body is sealed, since it may hold a link that
-- opens an account, and is removed once it is sent or given up.
create table outbox (
  id uuid primary key,
  recipient text not null check (length(recipient) <= 254 and recipient !~ '[[:cntrl:][:space:]]'),
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  subject text not null check (length(subject) <= 200 and subject !~ '[[:cntrl:]]'),
  sealed_body bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  claimed_until timestamptz,
  sent_at timestamptz,
  given_up_at timestamptz,
  account_id text,
  check (expires_at > created_at),
  check (sent_at is null or given_up_at is null),
  check ((sealed_body is null) = (sent_at is not null or given_up_at is not null))
);
create index outbox_by_age on outbox (created_at);
create index outbox_due on outbox (next_attempt_at) where sent_at is null and given_up_at is null;

-- Limits that hold over all servers. `full_at`: when all attempts of a key are free again, ms since 1970.
-- Keys are keyed hashes. Unlogged, without another index: an update writes one place.
create unlogged table rate_limits (
  key text primary key,
  full_at float8 not null
);

-- Backups that succeeded, by the program that made them: what was stored before `taken_at` is safe.
create table backups (
  tool text not null check (length(tool) between 1 and 50),
  taken_at timestamptz not null default clock_timestamp(),
  primary key (tool, taken_at)
);

-- Recognises the secret of the servers; at most one.
create table auth_secret (
  is_only boolean default true primary key check (is_only),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$')
);
