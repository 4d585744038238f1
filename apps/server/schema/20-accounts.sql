-- Players, passwords, sessions, second factors, profiles and what limits a player.
-- Columns of type bigint that end in `at` are ms since 1970.

-- E-mail addresses are in lower case. After a deletion only the id and a placeholder address are left.
create table players (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{8,36}$'),
  email text not null check (email = lower(email) and length(email) <= 254) unique,
  email_verified boolean not null default false,
  updated_at timestamptz not null
);

-- By their scrypt hash.
create table passwords (
  player_id text primary key references players (id) on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);

-- `second_factor_at`: when the session last gave a code.
create table sessions (
  id text primary key,
  token text not null unique,
  player_id text not null references players (id) on delete cascade,
  address text,
  user_agent text,
  started_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  seen_at timestamptz,
  second_factor_at timestamptz
);
create index sessions_by_player on sessions (player_id);

-- Browsers that are told what happens while no page is open. They end with the login that added them.
create table push_subscriptions (
  endpoint text primary key check (length(endpoint) <= 1000),
  session_id text not null references sessions (id) on delete cascade,
  p256dh text not null check (length(p256dh) <= 200),
  auth text not null check (length(auth) <= 100)
);
create index push_subscriptions_by_session on push_subscriptions (session_id);

-- What a player shows and has set.
create table profiles (
  id text primary key references players (id),
  username text not null check (username ~ '^[A-Za-z0-9_-]{3,20}$'),
  notifications_enabled boolean not null default true,
  sound_enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  takebacks_enabled boolean not null default true
);
create unique index profiles_username on profiles (lower(username));

-- Browsers in which an account has logged in, by the hash of a random cookie: they have priority at login.
create table account_devices (
  player_id text not null references players (id),
  device_hash text not null,
  first_login_at timestamptz not null,
  last_login_at timestamptz not null,
  primary key (player_id, device_hash)
);

-- What joins accounts, by keyed hashes: bank accounts, cards, devices, and networks by the hour.
create table account_traces (
  player_id text not null check (length(player_id) between 8 and 36),
  kind text not null check (kind in ('bank_account', 'card', 'device', 'network')),
  keyed_hash text not null check (keyed_hash ~ '^[A-Za-z0-9_-]{43}$'),
  first_at bigint not null,
  last_at bigint not null check (last_at >= first_at),
  uses int not null check (uses > 0),
  primary key (player_id, kind, keyed_hash)
);
create index account_traces_of_hash on account_traces (keyed_hash);

-- The secret for one-time codes, sealed; in force once a first code has confirmed it.
create table second_factors (
  player_id text primary key references players (id),
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

-- By their hash.
create table recovery_codes (
  player_id text not null references players (id),
  code_hash text not null,
  used_at timestamptz,
  primary key (player_id, code_hash)
);

-- Mailed links, by the hash of their token. A used one stays, so that it gets the same answer again.
create table email_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  player_id text not null references players (id) on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  purpose text not null check (purpose in ('verify', 'change', 'reset'))
);
create index email_links_by_player on email_links (player_id);
create unique index email_links_open on email_links (player_id, purpose) where used_at is null;

-- What one player asked for about another. The two are never paired if either has blocked the other.
create table player_relations (
  player_id text not null references profiles (id),
  other_id text not null references profiles (id),
  muted boolean not null,
  blocked boolean not null,
  updated_at timestamptz not null,
  primary key (player_id, other_id),
  check (player_id <> other_id),
  check (muted or blocked)
);
create index player_relations_by_blocked on player_relations (other_id) where blocked;

-- What players have set: deposits in kobo, stakes in whole holocoins, sessions in minutes. Null is no limit.
-- A looser value holds from `next_at` on.
create table player_limits (
  player_id text not null check (length(player_id) between 8 and 36),
  kind text not null check (kind in ('depositDay', 'depositWeek', 'depositMonth', 'stake', 'session')),
  value bigint check (value >= 0),
  next_value bigint check (next_value >= 0),
  next_at bigint,
  updated_at bigint not null,
  primary key (player_id, kind),
  check (next_value is null or next_at is not null)
);

-- Only ever added: none is taken back or shortened. Each covers deposits and staked games.
create table self_exclusions (
  player_id text not null check (length(player_id) between 8 and 36),
  from_at bigint not null,
  until_at bigint not null,
  blocks_email boolean not null default true,
  covers_free_games boolean not null default true,
  check (until_at > from_at)
);
create index self_exclusions_of_player on self_exclusions (player_id, until_at);

-- Deletions that wait for payments.
create table closing_accounts (
  player_id text primary key check (length(player_id) between 8 and 36),
  at bigint not null
);

-- Addresses that may not register, by a keyed hash: while their player is banned or self-excluded, and
-- until `until_at`.
create table registration_blocks (
  email_hash text not null check (email_hash ~ '^[0-9a-f]{64}$'),
  player_id text not null check (length(player_id) between 8 and 36),
  until_at bigint,
  primary key (email_hash, player_id)
);
create index registration_blocks_of_player on registration_blocks (player_id);
