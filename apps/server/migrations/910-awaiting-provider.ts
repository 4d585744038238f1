/** A deposit about which the provider does not answer: its player is told that it waits (ruling 59). */
export const up = `
  do $do$
  declare known text;
  begin
    select pg_get_expr(conbin, conrelid) into strict known from pg_constraint
      where conrelid = 'payments'::regclass and conname = 'payments_reason_code';
    alter table payments drop constraint payments_reason_code;
    execute format('alter table payments add constraint payments_reason_code check ((%s) or reason = %L) not valid', known,
      'awaiting_provider');
  end $do$;
`;
export const online = ["alter table payments validate constraint payments_reason_code"];
