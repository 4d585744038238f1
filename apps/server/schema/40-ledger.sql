-- Double entry in micro-coins. The database enforces that entries balance, that each cause is booked once,
-- and that nothing is changed.

-- Wallets, escrows and debts have an owner. Only wallets and escrows store a balance; `sequence` counts its changes.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null,
  owner text not null,
  balance bigint,
  sequence bigint not null default 0,
  opened_at timestamptz not null,
  unique (kind, owner),
  constraint ledger_accounts_sound check (ledger_is_sound_account(kind, owner, balance, sequence))
) with (fillfactor = 80);
create trigger ledger_accounts_stay before delete or update of id, kind, owner, opened_at or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();

-- One cause each: unique by kind and source. `settled_game`: a game is won, drawn or refunded once.
create table ledger_entries (
  id bigint generated always as identity primary key,
  kind text not null,
  source text not null,
  settled_game text unique,
  at timestamptz not null,
  details text not null,
  content_hash text not null,
  unique (kind, source),
  constraint ledger_entries_sound check (ledger_is_sound_entry(kind, source, settled_game, content_hash))
);
create index ledger_entries_by_time on ledger_entries using brin (at) with (pages_per_range = 16, autosummarize = on);
create trigger ledger_append_only before delete or update or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create constraint trigger ledger_balanced after insert on ledger_entries deferrable initially deferred
  for each row execute function ledger_check_entry();

-- The sum of an entry's postings is 0.
create table ledger_postings (
  entry_id bigint not null,
  account_id bigint not null,
  amount bigint not null check (amount <> 0 and amount between -9000000000000000 and 9000000000000000),
  balance_after bigint,
  primary key (entry_id, account_id)
);
create index ledger_postings_by_account on ledger_postings (account_id, entry_id) include (amount);
create trigger ledger_append_only before delete or update or truncate on ledger_postings
  for each statement execute function ledger_refuse_change();
create trigger ledger_joined after insert on ledger_postings referencing new table as added
  for each statement execute function ledger_check_posting();

-- Entries of a wallet or debt other than stakes and winnings, so that a statement reads few rows.
create table ledger_player_lines (
  account_id bigint not null,
  entry_id bigint not null,
  primary key (account_id, entry_id)
);
create trigger ledger_append_only before delete or update or truncate on ledger_player_lines
  for each statement execute function ledger_refuse_change();

-- Sums of accounts without a balance up to an entry, so that figures read only what is newer.
create table ledger_totals (
  account_id bigint primary key,
  entry_id bigint not null,
  total bigint not null
);

-- The platform's own accounts.
insert into ledger_accounts (kind, owner, opened_at)
select kind, '', 'epoch' from unnest(array['revenue', 'provider_fees', 'provider_loss', 'deposit_clearing', 'withdrawal_clearing',
  'rounding', 'opening']) kind;
insert into ledger_totals (account_id, entry_id, total) select id, 0, 0 from ledger_accounts order by id;
