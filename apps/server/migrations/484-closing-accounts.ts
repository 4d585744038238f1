/**
 * Whose accounts are closing: they play no more and deposit no more, whatever else may still come to their end. Nothing takes a row back.
 * Instants are ms since 1970.
 */
export const up = `
  create table closing_accounts (
    player_id text primary key check (length(player_id) between 8 and 36),
    at bigint not null
  );
`;
