/**
 * The second factor of a player: a secret for one-time codes, sealed, which is in force once a first code has confirmed it, and recovery
 * codes by their hash. Sessions remember when they last gave a code.
 */
export const up = `
  create table second_factors (
    player_id text primary key references auth_users (id),
    sealed_secret bytea not null,
    confirmed_at timestamptz,
    -- the newest 30-second step whose code was used: each works once
    last_step bigint not null default 0
  );
  create table recovery_codes (
    player_id text not null references auth_users (id),
    code_hash text not null,
    used_at timestamptz,
    primary key (player_id, code_hash)
  );
  alter table auth_sessions add column second_factor_at timestamptz;
`;
