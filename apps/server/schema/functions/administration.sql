-- Guards what staff did.

create or replace function admin_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace function app_versions_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.removed_at is null
    and row (new.id, new.platform, new.version, new.file_name, new.size_bytes, new.sha256, new.uploaded_by, new.uploaded_at,
      new.audit_event_id)
      is not distinct from
      row (old.id, old.platform, old.version, old.file_name, old.size_bytes, old.sha256, old.uploaded_by, old.uploaded_at,
      old.audit_event_id)
  then return new;
  end if;
  raise exception 'a release is never changed: % refused', tg_op using errcode = 'restrict_violation';
end $$;
