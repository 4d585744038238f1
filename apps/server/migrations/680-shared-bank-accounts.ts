/**
 * Pairs of players who confirmed the same bank account. They are never paired in a game that begins
 * after `from_at`. The pair stays when the account is erased. Pairs that exist at the migration
 * begin with it. Instants are ms since 1970.
 */
export const up = `
  create table shared_bank_accounts (
    player_id text not null check (length(player_id) between 8 and 36),
    other_id text not null check (length(other_id) between 8 and 36 and other_id > player_id),
    from_at bigint not null,
    primary key (player_id, other_id)
  );
  create index shared_bank_accounts_of_other on shared_bank_accounts (other_id);
  create index bank_accounts_confirmed on bank_accounts (bank_code, account_number) where confirmed_at is not null;

  insert into shared_bank_accounts (player_id, other_id, from_at)
    select distinct own.player_id, other.player_id, (extract(epoch from now()) * 1000)::bigint
    from bank_accounts own join bank_accounts other using (bank_code, account_number)
    where own.confirmed_at is not null and other.confirmed_at is not null and own.player_id < other.player_id;
`;
