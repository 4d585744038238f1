/**
 * Links for more than one purpose, of which a player has one each that is not used: `verify` an address, `change` it for another, `reset`
 * the password. And when a session was last seen, for its player to tell their devices apart; the sign-in library does not know the column.
 */
export const up = `
  alter table email_links add column purpose text not null default 'verify' check (purpose in ('verify', 'change', 'reset'));
  alter table email_links alter column purpose drop default;
  drop index email_links_open;
  create unique index email_links_open on email_links (player_id, purpose) where used_at is null;

  alter table auth_sessions add column seen_at timestamptz;
`;
