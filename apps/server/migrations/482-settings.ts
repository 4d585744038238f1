/**
 * The rate and the fee, as every change of them left them: the newest row holds. The first is what the product began with, kobo for one
 * holocoin and basis points; every other is an act of the CEO. Append only. `system_settings` is the specification's own name for it.
 */
export const up = `
  create table setting_changes (
    id bigint generated always as identity primary key,
    at bigint not null,
    player_id text check (length(player_id) between 8 and 36),
    command_id text check (command_id ~ '^[A-Za-z0-9_-]{8,36}$'),
    act_id bigint unique references admin_acts (id),
    rate_kobo int not null check (rate_kobo between 100 and 10000000),
    fee_bps smallint not null check (fee_bps between 0 and 2000),
    unique (player_id, command_id),
    check ((player_id is null) = (act_id is null) and (player_id is null) = (command_id is null))
  );
  create unique index setting_changes_first on setting_changes ((act_id is null)) where act_id is null;
  create trigger admin_append_only before update or delete or truncate on setting_changes
    for each statement execute function admin_refuse_change();

  insert into setting_changes (at, rate_kobo, fee_bps) values (0, 30600, 740);

  create view system_settings as
    select 'currency_conversion' as setting_key,
      jsonb_build_object('naira_per_holocoin', rate_kobo / 100.0, 'platform_fee_percentage', fee_bps / 100.0) as setting_value
    from setting_changes order by id desc limit 1;
`;
