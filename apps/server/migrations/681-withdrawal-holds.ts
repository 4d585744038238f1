/**
 * Since when and until when staff hold a player's withdrawals, with the reason that the player
 * reads. Meanwhile none is accepted or sent. Periods are kept for the auditor. Instants are ms since
 * 1970. Payments that wait for it get a reason of their own, beside those of earlier migrations.
 */
export const up = `
  create table withdrawal_holds (
    id bigint generated always as identity primary key,
    player_id text not null check (length(player_id) between 8 and 36),
    reason text not null check (length(reason) between 1 and 500),
    from_at bigint not null,
    act_id bigint not null unique references admin_acts (id),
    until_at bigint check (until_at >= from_at),
    end_act_id bigint unique references admin_acts (id),
    check ((until_at is null) = (end_act_id is null))
  );
  create unique index withdrawal_holds_open on withdrawal_holds (player_id) where until_at is null;
  create index withdrawal_holds_of_player on withdrawal_holds (player_id);

  do $do$
  declare known text;
  begin
    select pg_get_expr(conbin, conrelid) into strict known from pg_constraint
      where conrelid = 'payments'::regclass and conname = 'payments_reason_code';
    alter table payments drop constraint payments_reason_code;
    execute format('alter table payments add constraint payments_reason_code check ((%s) or reason = %L)', known, 'awaiting_staff');
  end $do$;
`;
