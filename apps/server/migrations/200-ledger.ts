/**
 * Double entry, append only. Wallets and escrows keep their balance, guarded by CHECK; the hot accounts of the platform keep none,
 * so that no two games ever wait for one row: they are summed. Postings are guarded by triggers against everyone, us included.
 */
export const up = `
  create table ledger_accounts (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('wallet', 'escrow', 'revenue', 'provider_fees', 'provider_loss', 'deposit_clearing',
      'withdrawal_clearing', 'rounding', 'debts', 'opening')),
    owner text not null check (length(owner) <= 64),
    balance bigint check (balance between 0 and 9000000000000000),
    sequence bigint not null default 0 check (sequence >= 0),
    opened_at timestamptz not null,
    unique (kind, owner),
    check ((kind in ('wallet', 'escrow', 'debts')) = (owner <> '')),
    check ((kind in ('wallet', 'escrow')) = (balance is not null))
  ) with (fillfactor = 80);

  create table ledger_entries (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('deposit', 'deposit_reversal', 'stake', 'refund', 'win', 'draw', 'withdrawal_hold',
      'withdrawal_return', 'withdrawal_paid', 'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction', 'opening')),
    source text not null check (length(source) between 1 and 200),
    settled_game text unique,
    at timestamptz not null,
    details text not null,
    content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
    unique (kind, source),
    check ((kind in ('refund', 'win', 'draw')) = (settled_game is not null))
  );

  create table ledger_postings (
    entry_id bigint not null references ledger_entries (id),
    account_id bigint not null references ledger_accounts (id),
    amount bigint not null check (amount <> 0 and amount between -9000000000000000 and 9000000000000000),
    balance_after bigint,
    primary key (entry_id, account_id)
  );
  create index ledger_postings_by_account on ledger_postings (account_id, entry_id) include (amount);

  create function ledger_refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the ledger is append only: % on % refused', tg_op, tg_table_name using errcode = 'restrict_violation';
  end $$;
  create trigger ledger_append_only before update or delete or truncate on ledger_entries
    for each statement execute function ledger_refuse_change();
  create trigger ledger_append_only before update or delete or truncate on ledger_postings
    for each statement execute function ledger_refuse_change();
  create trigger ledger_accounts_stay before delete or truncate or update of id, kind, owner, opened_at on ledger_accounts
    for each statement execute function ledger_refuse_change();

  create function ledger_check_entry() returns trigger language plpgsql as $$
  declare
    checked bigint;
    posted bigint;
    total numeric;
  begin
    if tg_table_name = 'ledger_entries' then checked := new.id; else checked := new.entry_id; end if;
    select count(*), coalesce(sum(amount), 0) into posted, total from ledger_postings where entry_id = checked;
    if posted < 2 or total <> 0 then
      raise exception 'entry % does not balance: % postings, sum %', checked, posted, total using errcode = 'check_violation';
    end if;
    return null;
  end $$;
  create constraint trigger ledger_balanced after insert on ledger_entries
    deferrable initially deferred for each row execute function ledger_check_entry();
  create constraint trigger ledger_balanced after insert on ledger_postings
    deferrable initially deferred for each row execute function ledger_check_entry();

  insert into ledger_accounts (kind, owner, opened_at)
  select kind, '', timestamptz 'epoch'
  from unnest(array['revenue', 'provider_fees', 'provider_loss', 'deposit_clearing', 'withdrawal_clearing', 'rounding', 'opening'])
    with ordinality as platform (kind, place)
  order by place;
`;
