/**
 * A transfer that the provider reports with another amount is ended by staff: `sent_kobo` is what it
 * sent. Null: the same as `kobo`. The reason `paid_less` names that sum.
 */
export const up = `
  alter table payments add column sent_kobo bigint;

  do $do$
  declare known text;
  begin
    select pg_get_expr(conbin, conrelid) into strict known from pg_constraint
      where conrelid = 'payments'::regclass and conname = 'payments_reason_code';
    alter table payments drop constraint payments_reason_code;
    execute format('alter table payments add constraint payments_reason_code check ((%s) or reason = %L) not valid', known, 'paid_less');
  end $do$;
  alter table payments drop constraint payments_reason_kobo;
  alter table payments add constraint payments_reason_kobo check (
    (reason in ('credited_actual_amount', 'coins_taken_back', 'rate_fewer_coins', 'rate_more_coins', 'paid_less'))
      is not distinct from (reason_kobo is not null) or (reason is null and reason_kobo is null)) not valid;
`;
export const online = [
  "alter table payments validate constraint payments_reason_code",
  "alter table payments validate constraint payments_reason_kobo",
];
