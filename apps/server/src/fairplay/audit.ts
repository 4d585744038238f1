import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../platform/database/invariant.ts";
import { HELD_MS } from "./cases/decide-case.ts";

const TRIGGERS = [
  "fair_play_cases fair_play_cases_stay",
  "fair_play_acts fair_play_acts_append_only",
  "fair_play_acts fair_play_acts_kept",
];

/** Marks that ended before it, and their cases, may be five years old: only the marks are kept. */
const NEWEST_ENTRY = sql`coalesce((select at from ledger_entries order by id desc limit 1), '-infinity')`;

/** What each act of staff is called in the audit log. */
const EVENTS = sql`(values ('cleared', 'fair_play_cleared'), ('proposed', 'forfeit_proposed'), ('withdrawn', 'forfeit_withdrawn'),
  ('forfeited', 'coins_forfeited'), ('appeal_answered', 'appeal_answered')) named (type, action)`;

/** Machines hold coins for a while, and only two people together forfeit any (ruling 44). */
export const fairPlayInvariants: readonly Invariant[] = [
  keepsTriggers("the triggers that keep cases of fair play and their acts are enabled", TRIGGERS),
  holds(
    "no case holds coins for more than 72 hours, and none of a dispute, a list or a review forfeits any",
    sql`
      select 'case ' || id || ' is ' || kind || ', ' || state || ' and holds until ' || coalesce(until_at::text, 'never') as found
      from fair_play_cases
      where until_at > opened_at + ${HELD_MS} or (state = 'forfeited' and kind not in ('flow', 'engine')) order by id`,
  ),
  holds(
    "coins are held in a wallet only by a case of its player, and not for longer",
    sql`
      select 'the mark of deposit ' || mark.deposit_id || ' in the wallet of ' || account.owner || ' has no case' as found
      from coin_marks mark join ledger_accounts account on account.id = mark.wallet_id
      where not exists (select from fair_play_cases fair where fair.id::text = mark.case_id and fair.player_id = account.owner
        and mark.deposit_id = any(fair.deposit_ids) and mark.until_at <= to_timestamp(fair.until_at / 1000.0))
        and mark.until_at > ${NEWEST_ENTRY}
      order by mark.deposit_id`,
  ),
  holds(
    "every withdrawal that is checked has coins of a case",
    sql`
      select 'withdrawal ' || payment.reference || ' waits for no case' as found from payments payment
      where payment.kind = 'withdrawal' and payment.step = 'held' and payment.reason = 'awaiting_fair_play' and not exists (
        select from ledger_entries entry
          join coin_exits taken on taken.entry_id = entry.id
          join coin_pieces piece on piece.id = taken.piece_id
          join coin_pieces first on first.id = piece.deposit_id
          join ledger_entries began on began.id = first.entry_id
          join fair_play_cases fair on (fair.player_id = payment.player_id and piece.deposit_id = any(fair.deposit_ids))
            or fair.payment_id::text = split_part(began.source, ':', 1)
        where entry.kind = 'withdrawal' and entry.source = payment.id::text)
      order by payment.created_at`,
  ),
  holds(
    "every case is in the state of its last decision",
    sql`
      select 'case ' || fair.id || ' is ' || fair.state || ', its acts say ' || coalesce(act.type, 'open') as found
      from fair_play_cases fair
      left join fair_play_acts act on act.case_id = fair.id and act.type in ('cleared', 'forfeited', 'released', 'closed')
      where fair.state <> coalesce(act.type, 'open') or fair.ended_at is distinct from act.at order by fair.id`,
  ),
  holds(
    "two different members decided every forfeit, a third its appeal, and none about themselves",
    sql`
      select 'case ' || fair.id || ': proposed by ' || coalesce(proposed.by_id, 'no one') || ', confirmed by ' || coalesce(confirmed.by_id, 'no one')
        || ', its appeal answered by ' || coalesce(answered.by_id, 'no one') as found
      from fair_play_cases fair
      left join fair_play_acts confirmed on confirmed.case_id = fair.id and confirmed.type = 'forfeited'
      left join lateral (select act.* from fair_play_acts act where act.case_id = fair.id and act.type in ('proposed', 'withdrawn')
        order by act.id desc limit 1) proposed on proposed.type = 'proposed'
      left join fair_play_acts answered on answered.case_id = fair.id and answered.type = 'appeal_answered'
      where (fair.state = 'forfeited' and (proposed.by_id is null or confirmed.by_id is null or proposed.by_id = confirmed.by_id))
        or exists (select from fair_play_acts act where act.case_id = fair.id and act.type in ('proposed', 'forfeited')
          and act.by_id = answered.by_id)
        or exists (select from fair_play_acts act where act.case_id = fair.id and act.audit_event_id is not null
          and act.by_id = any(fair.concerned))
      order by fair.id`,
  ),
  holds(
    "every decision about a case matches its audit event, and vice versa for forfeits and cases that are kept",
    sql`
      select coalesce(act.case_id, event.subject) || ' ' || coalesce(act.type, event.action) || ', the audit event: '
        || coalesce(event.id::text, 'none') as found
      from (select acts.*, named.action from fair_play_acts acts join ${EVENTS} using (type)) act
      full join (select * from audit_events where action in (select action from ${EVENTS}) and (
        action in ('coins_forfeited', 'appeal_answered') or exists (select from fair_play_cases where id = subject))
      ) event on event.id = act.audit_event_id
      where event.action is distinct from act.action or event.subject is distinct from act.case_id
        or event.player_id is distinct from act.by_id or event.at is distinct from act.at
      order by 1`,
  ),
  holds(
    "every forfeit in the ledger is the one that its case's members confirmed, to the last coin",
    sql`
      select coalesce(given.case_id, posted.case_id) || ' gives ' || coalesce(given.coins, 0) || ' to ' || coalesce(given.owner, posted.owner)
        || ', its entry ' || coalesce(posted.amount, 0) as found
      from (
        select act.case_id, gift ->> 'playerId' as owner, (gift ->> 'coins')::bigint as coins
        from fair_play_acts act cross join lateral jsonb_array_elements(act.figures -> 'given') gift where act.type = 'forfeited'
      ) given
      full join (
        select entry.source as case_id, account.owner, posting.amount from ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id and posting.amount > 0
        join ledger_accounts account on account.id = posting.account_id where entry.kind = 'forfeit'
      ) posted on posted.case_id = given.case_id and posted.owner = given.owner
      where given.coins is distinct from posted.amount order by 1`,
  ),
  holds(
    "every forfeit is taken from its case's player, and goes back to them only after an accepted appeal",
    sql`
      select entry.kind || ' of case ' || entry.source || ' changes the wallet of ' || account.owner || ' by ' || posting.amount as found
      from ledger_entries entry
      join ledger_postings posting on posting.entry_id = entry.id
      join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
      left join fair_play_cases fair on fair.id = entry.source and fair.state = 'forfeited'
      left join fair_play_acts confirmed on confirmed.case_id = fair.id and confirmed.type = 'forfeited'
      left join fair_play_acts answer on answer.case_id = fair.id and answer.type = 'appeal_answered'
      cross join lateral (
        select coalesce(sum((gift ->> 'coins')::bigint), 0) as coins from jsonb_array_elements(confirmed.figures -> 'given') gift) taken
      where (entry.kind = 'forfeit' and posting.amount < 0 and (fair.player_id is distinct from account.owner or posting.amount <> -taken.coins))
        or (entry.kind = 'forfeit_return' and (fair.player_id is distinct from account.owner or posting.amount <> taken.coins
          or (answer.figures ->> 'isAccepted')::boolean is distinct from true))
      order by entry.id`,
  ),
  holds(
    "every staked game that ended waits for its screening, or was screened",
    sql`
      select 'game ' || game.id || ' is never screened' as found from games game
      where game.stake_amount > 0 and game.status in ('completed', 'timeout')
        and not exists (select from game_screenings known where known.game_id = game.id) order by game.id`,
  ),
  holds(
    "every accepted appeal was paid",
    sql`
      select 'the appeal of case ' || answer.case_id || ' was not paid' as found from fair_play_acts answer
      where answer.type = 'appeal_answered' and (answer.figures ->> 'isAccepted')::boolean
        and not exists (select from ledger_entries entry where entry.kind = 'forfeit_return' and entry.source = answer.case_id)
      order by answer.case_id`,
  ),
];
