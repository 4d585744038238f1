-- Guards what was decided about fair play.

create or replace function fair_play_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- Acts go with their case, after the time for which cases are kept.
create or replace function fair_play_acts_keep() returns trigger language plpgsql as $$
begin
  if exists (select from fair_play_cases where id = old.case_id) then
    raise exception 'an act is kept as long as its case' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
