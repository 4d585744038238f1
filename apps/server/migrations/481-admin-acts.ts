/**
 * Everything that people of the house did to others or to the house, each written in the transaction of what was done. Append only, like
 * the ledger and guarded in the same way. Nobody is named where the server itself did it, by its configuration. Instants are ms since 1970.
 */
export const up = `
  create table admin_acts (
    id bigint generated always as identity primary key,
    at bigint not null,
    player_id text check (length(player_id) between 8 and 36),
    act text not null check (act ~ '^[a-z_]{1,40}$'),
    subject text not null check (length(subject) <= 300),
    detail text not null check (length(detail) <= 1000)
  );
  create index admin_acts_of_subject on admin_acts (act, subject, id);

  create function admin_refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end $$;
  create trigger admin_append_only before update or delete or truncate on admin_acts
    for each statement execute function admin_refuse_change();
`;
