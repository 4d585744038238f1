-- The guard of what a payment's state follows from.

create or replace function payment_facts_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the facts of payments are append only: % refused', tg_op using errcode = 'restrict_violation';
end $$;
