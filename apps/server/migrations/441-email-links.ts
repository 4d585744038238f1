/**
 * Links that were mailed to prove that an address is read by its player. Only the token's hash is kept: who reads this table cannot
 * follow a link. A player has one that is not used; a used one stays, so that following it again gets the same answer.
 */
export const up = `
  create table email_links (
    token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
    player_id text not null references auth_users (id) on delete cascade,
    email text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create unique index email_links_open on email_links (player_id) where used_at is null;
  create index email_links_by_player on email_links (player_id);
`;
