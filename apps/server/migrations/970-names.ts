/** The names of CONTRIBUTING's glossary. */
export const up = `
  alter table nodes rename to servers;
  alter table servers rename boot_id to server_id;
  alter table servers rename node to name;
  alter table outages rename boot_id to server_id;
  alter table player_blocks rename to bans;
  alter table held_mailboxes rename to registration_blocks;
  alter table registration_blocks rename mailbox_hash to email_hash;
  alter table registration_blocks rename held_until to until_at;
  alter table admin_acts rename to audit_events;
  alter sequence admin_acts_id_seq rename to audit_events_id_seq;
  alter table audit_events rename act to action;
  alter table app_versions rename act_id to audit_event_id;
  alter table bans rename act_id to audit_event_id;
  alter table maintenance_changes rename act_id to audit_event_id;
  alter table reports rename act_id to audit_event_id;
  alter table setting_changes rename act_id to audit_event_id;
  alter table payout_holds rename act_id to audit_event_id;
  alter table payout_holds rename end_act_id to end_audit_event_id;
  alter table withdrawal_holds rename act_id to audit_event_id;
  alter table withdrawal_holds rename end_act_id to end_audit_event_id;
  alter table payments rename gone_kobo to refunded_kobo;
  alter table payments rename booked_kobo to allocated_kobo;
  alter table game_log rename entry to record;
  do $$
  declare
    body text;
  begin
    body := replace(pg_get_functiondef('seat_facts'::regproc), 'player_blocks', 'bans');
    execute body;
    body := regexp_replace(pg_get_functiondef('lifecycle_write_games'::regproc), '\\mentry\\M', 'record', 'g');
    execute body;
    body := replace(pg_get_functiondef('app_versions_refuse_change'::regproc), 'act_id', 'audit_event_id');
    execute body;
  end $$;
`;
