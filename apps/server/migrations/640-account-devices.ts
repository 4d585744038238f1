/**
 * Browsers in which an account has logged in, by the hash of a random cookie. They have priority at login; a login from another one sends a
 * mail. Accounts of before get a placeholder, so that their next login counts as one from a new device.
 */
export const up = `
  create table account_devices (
    player_id text not null references auth_users (id),
    device_hash text not null,
    first_login_at timestamptz not null,
    last_login_at timestamptz not null,
    primary key (player_id, device_hash)
  );
  insert into account_devices (player_id, device_hash, first_login_at, last_login_at)
  select id, 'before', created_at, created_at from auth_users;
`;
