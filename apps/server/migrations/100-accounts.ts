/**
 * Who plays here. The tables named auth_* are those of the sign-in library under our own column names; profiles are ours. A player's
 * id is the same in both.
 */
export const up = `
  create table auth_users (
    id text primary key check (id ~ '^[A-Za-z0-9_-]{8,36}$'),
    name text not null,
    email text not null unique check (email = lower(email) and length(email) <= 254),
    email_verified boolean not null default false,
    image text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );

  create table auth_sessions (
    id text primary key,
    token text not null unique,
    user_id text not null references auth_users (id) on delete cascade,
    ip_address text,
    user_agent text,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index auth_sessions_by_user on auth_sessions (user_id);

  create table auth_accounts (
    id text primary key,
    user_id text not null references auth_users (id) on delete cascade,
    account_id text not null,
    provider_id text not null,
    password text,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamptz,
    refresh_token_expires_at timestamptz,
    scope text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (provider_id, account_id)
  );
  create index auth_accounts_by_user on auth_accounts (user_id);

  create table auth_verifications (
    id text primary key,
    identifier text not null,
    value text not null,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index auth_verifications_by_identifier on auth_verifications (identifier);

  create table profiles (
    id text primary key references auth_users (id),
    username text not null check (username ~ '^[A-Za-z0-9_-]{3,20}$'),
    notifications_enabled boolean not null default true,
    sound_enabled boolean not null default true,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create unique index profiles_username on profiles (lower(username));
`;
