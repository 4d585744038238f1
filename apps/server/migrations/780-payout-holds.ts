/**
 * While a hold without `until_at` stands, no transfer is ordered from the provider: the database may
 * know less than the provider was told. The comparison that ends it begins at `compare_from`.
 * `database_identity` is the PostgreSQL that the payouts were last checked for. Its row is locked by
 * sends and holds. Instants are ms since 1970.
 */
export const up = `
  create table payout_guard (
    id boolean primary key default true check (id),
    database_identity text
  );
  insert into payout_guard default values;

  create table payout_holds (
    id bigint generated always as identity primary key,
    cause text not null check (cause in ('restore', 'operator', 'database_changed')),
    from_at bigint not null,
    compare_from bigint not null,
    act_id bigint unique references admin_acts (id),
    tried_at bigint,
    until_at bigint check (until_at >= from_at),
    ended_by text check (ended_by in ('reconciliation', 'staff', 'another_hold')),
    end_act_id bigint unique references admin_acts (id),
    check ((until_at is null) = (ended_by is null)),
    check ((cause = 'operator') = (act_id is not null)),
    check ((ended_by is not distinct from 'staff') = (end_act_id is not null))
  );
  create unique index payout_holds_open on payout_holds ((until_at is null)) where until_at is null;

  do $do$
  declare known text;
  begin
    select pg_get_expr(conbin, conrelid) into strict known from pg_constraint
      where conrelid = 'payments'::regclass and conname = 'payments_reason_code';
    alter table payments drop constraint payments_reason_code;
    execute format('alter table payments add constraint payments_reason_code check ((%s) or reason = %L)', known, 'awaiting_records');
  end $do$;
`;
