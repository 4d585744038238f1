-- What staff do, and what follows from it. Append only, like the ledger.

-- Written in the transaction of what was done. Without a player the server itself did it. Times are ms since 1970.
create table audit_events (
  id bigint generated always as identity primary key,
  at bigint not null,
  player_id text check (length(player_id) between 8 and 36),
  action text not null check (action ~ '^[a-z_]{1,40}$'),
  subject text not null check (length(subject) <= 300),
  detail text not null check (length(detail) <= 1000)
);
create index audit_events_of_subject on audit_events (action, subject, id);
create trigger audit_events_append_only before delete or update or truncate on audit_events
  for each statement execute function admin_refuse_change();

-- Whoever has verified one of these addresses is an admin.
create table admin_emails (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) <= 254),
  created_at bigint not null,
  added_by text not null check (length(added_by) between 8 and 36)
);
create unique index admin_emails_email on admin_emails (lower(email));

-- The CEO's address, from the configuration, written at each start.
create table owner_email (
  is_only boolean default true primary key check (is_only),
  email text not null check (email = lower(email) and length(email) <= 254),
  updated_at bigint not null
);

-- Roles follow from an address and its verification, and are stored nowhere. The owner is CEO and admin.
create view user_roles as
  select player.id as user_id, 'ceo' as role
  from players player join owner_email owner on owner.email = player.email
  where player.email_verified
  union all
  select player.id as user_id, 'admin' as role
  from players player
  where player.email_verified and (exists (select from admin_emails listed where lower(listed.email) = player.email)
    or exists (select from owner_email owner where owner.email = player.email));

-- Exchange rate (kobo for one holocoin) and platform fee (basis points): the newest row holds.
create table setting_changes (
  id bigint generated always as identity primary key,
  at bigint not null,
  player_id text check (length(player_id) between 8 and 36),
  command_id text check (command_id ~ '^[A-Za-z0-9_-]{8,36}$'),
  audit_event_id bigint references audit_events (id) unique,
  rate_kobo int not null check (rate_kobo between 100 and 10000000),
  fee_bps smallint not null check (fee_bps between 0 and 2000),
  unique (player_id, command_id),
  check ((player_id is null) = (audit_event_id is null) and (player_id is null) = (command_id is null))
);
create unique index setting_changes_first on setting_changes ((audit_event_id is null)) where audit_event_id is null;
create trigger setting_changes_append_only before delete or update or truncate on setting_changes
  for each statement execute function admin_refuse_change();

-- The rate and fee of the first start.
insert into setting_changes (at, rate_kobo, fee_bps) values (0, 30600, 740);

-- The newest row holds; without a text maintenance is off.
create table maintenance_changes (
  id bigint generated always as identity primary key,
  at bigint not null,
  audit_event_id bigint not null references audit_events (id) unique,
  text text check (length(text) between 1 and 300)
);
create trigger maintenance_changes_append_only before delete or update or truncate on maintenance_changes
  for each statement execute function admin_refuse_change();

-- Banned players, with the reason that they are shown.
create table bans (
  player_id text primary key check (length(player_id) between 8 and 36),
  at bigint not null,
  audit_event_id bigint not null references audit_events (id) unique,
  reason text not null check (length(reason) between 1 and 500)
);

-- Builds of the native apps. A version is never another file, so a downloaded address stays true.
create table app_versions (
  id uuid primary key,
  platform text not null check (platform in ('windows', 'APK')),
  version text not null default '1.0.0' check (version ~ '^[0-9]{1,4}[.][0-9]{1,4}[.][0-9]{1,4}$'),
  file_name text not null unique,
  download_url text generated always as ('/downloads/' || file_name) stored not null,
  is_current boolean not null,
  size_bytes bigint not null check (size_bytes between 1 and 209715200),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  uploaded_by text not null check (length(uploaded_by) between 8 and 36),
  uploaded_at bigint not null,
  audit_event_id bigint not null references audit_events (id) unique,
  removed_at bigint,
  check (file_name = ('holo-arena-' || version || case platform when 'windows' then '.exe' else '.apk' end)),
  check (removed_at >= uploaded_at),
  check ((NOT is_current) or removed_at is null)
);
create unique index app_versions_current on app_versions (platform) where is_current;
create index app_versions_kept on app_versions (platform, uploaded_at desc) where removed_at is null;
create trigger app_versions_stay before delete or update on app_versions
  for each row execute function app_versions_refuse_change();
create trigger app_versions_stay_all before truncate on app_versions
  for each statement execute function app_versions_refuse_change();
