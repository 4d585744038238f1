/**
 * The builds of the native apps. A row is written once: whose it is to be offered now may change, and that it is kept no more. A version is
 * never another file, so an address that was downloaded from stays true. The platform is named as the specification does. Instants are
 * ms since 1970.
 */
export const up = `
  create table app_versions (
    id uuid primary key,
    platform text not null check (platform in ('windows', 'APK')),
    version text not null default '1.0.0' check (version ~ '^[0-9]{1,4}[.][0-9]{1,4}[.][0-9]{1,4}$'),
    file_name text not null unique check (
      file_name = 'holo-arena-' || version || case platform when 'windows' then '.exe' else '.apk' end),
    download_url text not null generated always as ('/downloads/' || file_name) stored,
    is_current boolean not null,
    size_bytes bigint not null check (size_bytes between 1 and 209715200),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    uploaded_by text not null check (length(uploaded_by) between 8 and 36),
    uploaded_at bigint not null,
    act_id bigint not null unique references admin_acts (id),
    removed_at bigint check (removed_at >= uploaded_at),
    check (not is_current or removed_at is null)
  );
  create unique index app_versions_current on app_versions (platform) where is_current;
  create index app_versions_kept on app_versions (platform, uploaded_at desc) where removed_at is null;

  create function app_versions_refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.removed_at is null
      and row (new.id, new.platform, new.version, new.file_name, new.size_bytes, new.sha256, new.uploaded_by, new.uploaded_at, new.act_id)
        is not distinct from
        row (old.id, old.platform, old.version, old.file_name, old.size_bytes, old.sha256, old.uploaded_by, old.uploaded_at, old.act_id)
    then return new;
    end if;
    raise exception 'a release is never changed: % refused', tg_op using errcode = 'restrict_violation';
  end $$;
  create trigger app_versions_stay before update or delete on app_versions
    for each row execute function app_versions_refuse_change();
  create trigger app_versions_stay_all before truncate on app_versions
    for each statement execute function app_versions_refuse_change();
`;
