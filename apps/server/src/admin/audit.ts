import { RATE_KEPT_MS } from "@holo/protocol/payments/payment-terms.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { sql } from "kysely";
import type { Queries } from "../platform/database/database.ts";
import { holds, type Invariant, keepsTriggers } from "../platform/database/invariant.ts";
import { formatChange } from "./settings/settings.ts";

const TRIGGERS = [
  "audit_events audit_events_append_only",
  "maintenance_changes maintenance_changes_append_only",
  "setting_changes setting_changes_append_only",
];

const LAST_EVENTS = sql`
  select distinct on (subject) subject as email, action from audit_events
  where action in ('admin_added', 'admin_removed') order by subject, id desc`;

/** Compares each change with the settings before it and with its audit event. */
async function findUnloggedChange(queries: Queries): Promise<string | null> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly rate_kobo: number;
    readonly fee_bps: number;
    readonly rate_before: number | null;
    readonly fee_before: number | null;
    readonly is_recorded: boolean;
    readonly detail: string | null;
  }>`
    select change.id, change.rate_kobo, change.fee_bps, lag(change.rate_kobo) over by_id as rate_before,
      lag(change.fee_bps) over by_id as fee_before, event.detail,
      coalesce(event.action = 'settings_changed' and event.player_id = change.player_id and event.at = change.at, false) as is_recorded
    from setting_changes change left join audit_events event on event.id = change.audit_event_id
    window by_id as (order by change.id) order by change.id`.execute(queries);
  for (const { id, rate_kobo, fee_bps, rate_before, fee_before, is_recorded, detail } of rows) {
    if (rate_before === null || fee_before === null) continue;
    const before: SettingsView = { rateKobo: rate_before, feeBps: fee_before };
    const expected = formatChange({ rateKobo: rate_kobo, feeBps: fee_bps }, before);
    if (!is_recorded || detail !== expected)
      return `change ${id}: ${expected}; its audit event says ${detail ?? "nothing"}`;
  }
  return null;
}

/** Every staff action is in the audit log, and every fee and rate charged was once set. */
export const adminInvariants: readonly Invariant[] = [
  keepsTriggers("the triggers that keep audit log and settings append-only are enabled", TRIGGERS),
  { name: "every settings change but the first matches its audit event", check: findUnloggedChange },
  holds(
    "every audit event of a settings change has its change",
    sql`
      select 'audit event ' || event.id || ' changed nothing' as found from audit_events event
      where event.action = 'settings_changed' and not exists (select from setting_changes change where change.audit_event_id = event.id)
      order by event.id`,
  ),
  holds(
    "the listed admin addresses match the audit log",
    sql`
      select coalesce(listed.email, last.email) || case when listed.email is null then ' was added and is not listed'
        else ' is listed, its last audit event: ' || coalesce(last.action, 'none') end as found
      from admin_emails listed full join (${LAST_EVENTS}) last on last.email = listed.email
      where (listed.email is not null) <> coalesce(last.action = 'admin_added', false)
      order by 1`,
  ),
  holds(
    "the banned players and the reasons match the audit log",
    sql`
      select coalesce(blocked.player_id, last.subject) || ' is ' || case when blocked.player_id is null then 'not ' else '' end
        || 'banned, the last audit event: ' || coalesce(last.action || ' ' || last.detail, 'none') as found
      from bans blocked full join (
        select distinct on (subject) subject, id, action, detail from audit_events
        where action in ('player_banned', 'player_unbanned') order by subject, id desc) last
        on last.subject = blocked.player_id
      where (blocked.player_id is not null) <> coalesce(last.action = 'player_banned', false)
        or blocked.audit_event_id <> last.id or last.detail <> blocked.reason
      order by 1`,
  ),
  holds(
    "every hold of withdrawals and its end match their audit events, and vice versa",
    sql`
      select coalesce(hold.player_id, event.subject) || ' ' || coalesce(hold.action, event.action) || ': ' || coalesce(hold.reason, 'nothing')
        || ', the audit event: ' || coalesce(event.detail, 'none') as found
      from (
        select audit_event_id, 'withdrawals_held' as action, player_id, from_at as at, reason from withdrawal_holds
        union all select end_audit_event_id, 'withdrawals_released', player_id, until_at, null from withdrawal_holds where until_at is not null
      ) hold
      full join (select * from audit_events where action in ('withdrawals_held', 'withdrawals_released')) event
        on event.id = hold.audit_event_id and event.action = hold.action
      where event.subject is distinct from hold.player_id or event.at is distinct from hold.at
        or (hold.reason is not null and event.detail <> hold.reason)
      order by 1`,
  ),
  holds(
    "every hold of all payouts matches its audit events, and vice versa",
    sql`
      select coalesce(hold.action, event.action) || ' of the hold ' || coalesce(hold.id::text, 'none') || ', the audit event: '
        || coalesce(event.id::text, 'none') as found
      from (
        select id, audit_event_id, 'payouts_held' as action, from_at as at from payout_holds where audit_event_id is not null
        union all select id, end_audit_event_id, 'payouts_released', until_at from payout_holds where end_audit_event_id is not null
      ) hold
      full join (select * from audit_events where action in ('payouts_held', 'payouts_released')) event
        on event.id = hold.audit_event_id and event.action = hold.action
      where event.at is null or hold.at is null or hold.at < event.at
      order by 1`,
  ),
  holds(
    "every maintenance change matches its audit event, and vice versa",
    sql`
      select 'audit event ' || event.id || ' says ' || event.action || ' ' || event.detail as found
      from audit_events event full join maintenance_changes change on change.audit_event_id = event.id
      where (event.action in ('maintenance_begun', 'maintenance_ended') or change.id is not null)
        and (change.id is null or event.action <> case when change.text is null then 'maintenance_ended' else 'maintenance_begun' end
          or event.detail <> coalesce(change.text, ''))
      order by event.id`,
  ),
  holds(
    "every game cancelled by staff has an audit event, and vice versa",
    sql`
      select coalesce(game.id::text, event.subject) || case when game.id is null then ' was not cancelled as its audit event says'
        else ' was cancelled without an audit event' end as found
      from (select id from games where end_reason = 'staff') game
      full join (select subject from audit_events where action = 'game_cancelled') event on event.subject = game.id::text
      where game.id is null or event.subject is null order by 1`,
  ),
  holds(
    "every closed report matches its audit event, and vice versa",
    sql`
      select coalesce(ended.id::text, event.subject) || ' says ' || coalesce(ended.outcome || ': ' || ended.note, 'nothing')
        || ', its audit event ' || coalesce(event.detail, 'nothing') as found
      from (select * from reports where state = 'closed') ended
      full join (select * from audit_events where action = 'report_ended') event on event.id = ended.audit_event_id
      where event.subject is distinct from ended.id::text or event.detail is distinct from ended.outcome || ': ' || ended.note
      order by 1`,
  ),
  holds(
    "every payout of an orphaned balance has an audit event, and vice versa",
    sql`
      select coalesce(sent.reference, event.subject) || case when event.subject is null then ' was sent without an audit event'
        else ' was not sent as its audit event says' end as found
      from (
        select payment.reference from payments payment
        join closing_accounts closing on closing.player_id = payment.player_id
        join players player on player.id = payment.player_id and player.email like '%@left.invalid'
        where payment.kind = 'withdrawal' and payment.created_at > extract(epoch from player.updated_at) * 1000) sent
      full join (select subject from audit_events where action = 'orphaned_balance_sent') event on event.subject = sent.reference
      where sent.reference is null or event.subject is null order by 1`,
  ),
  holds(
    "the owner matches the last audit event",
    sql`
      select owner.email || ' is the owner, the audit log says ' || coalesce(last.subject, 'no one') as found
      from owner_email owner
      left join (select subject from audit_events where action = 'owner_set' order by id desc limit 1) last on true
      where last.subject is distinct from owner.email`,
  ),
  holds(
    "every game's fee and every payment's exchange rate was set once",
    sql`
      select found from (
        select 'game ' || game.id || ' has a fee of ' || game.fee_bps || ' basis points' as found from games game
        where game.stake_amount > 0 and game.fee_bps not in (select fee_bps from setting_changes)
        union all
        select 'payment ' || payment.id || ' has a rate of ' || payment.rate_kobo || ' kobo' from payments payment
        where payment.rate_kobo not in (select rate_kobo from setting_changes)
          or payment.credit_rate_kobo not in (select rate_kobo from setting_changes)) broken
      order by found`,
  ),
  holds(
    "every deposit was credited at the rate of its start if paid in time, else of its payment",
    // The settings in memory follow their row a moment later, so a minute on both sides counts.
    sql`
      select 'payment ' || payment.id || ' has a rate of ' || payment.credit_rate_kobo || ' kobo, not that of its payment' as found
      from payments payment
      cross join lateral (select case when payment.paid_at <= payment.created_at + ${RATE_KEPT_MS}::bigint
        then payment.created_at else payment.paid_at end as at) as rated
      where payment.kind = 'deposit' and payment.credited_kobo > 0 and payment.paid_at is not null
        and not exists (
          select from setting_changes change
          where change.rate_kobo = payment.credit_rate_kobo and change.at <= rated.at + 60000
            and not exists (select from setting_changes later where later.id > change.id and later.at < rated.at - 60000))
      order by payment.created_at, payment.id`,
  ),
];
