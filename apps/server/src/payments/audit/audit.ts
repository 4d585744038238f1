import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../../platform/database/invariant.ts";

const PAYMENT_NAME = sql`'payment ' || payment.id || ' (' || payment.kind || ' ' || payment.step || ', ' || payment.status || ')'`;

/** What a payment's facts say, by the newest of each kind. */
const FOLDED = sql`
  select payment.id, coalesce(max(fact.number), 0) as last_fact,
    coalesce((array_agg(fact.kobo order by fact.number desc) filter (where fact.type = 'charge'
      and fact.outcome in ('success', 'other_sum', 'foreign', 'reversed')))[1], 0) as in_kobo,
    coalesce((array_agg(fact.back_kobo order by fact.number desc) filter (where fact.type = 'charge'
      and fact.outcome in ('success', 'other_sum', 'foreign', 'reversed')))[1], 0) as back_kobo,
    coalesce((array_agg(fact.kobo order by fact.number desc) filter (where fact.type = 'posted'))[1], 0) as kept_kobo,
    coalesce(max(fact.kobo) filter (where fact.type = 'posted'), 0) as credited_kobo,
    (array_agg(fact.rate_kobo order by fact.number) filter (where fact.type = 'posted'))[1] as credit_rate_kobo,
    coalesce(sum(fact.kobo) filter (where fact.type = 'wrote_off'), 0) as written_off_kobo,
    coalesce(sum(fact.fee_kobo) filter (where fact.type = 'refund_sent'), 0) as borne_fee_kobo,
    coalesce((array_agg(fact.type order by fact.number desc) filter (where fact.type in ('returned', 'taken')))[1] = 'returned', false) as is_back,
    coalesce((array_agg(fact.kobo order by fact.number desc) filter (where fact.type = 'transfer'
      and fact.outcome in ('success', 'other_sum', 'failed', 'reversed')))[1], 0) as sent_kobo,
    coalesce(max(fact.number) filter (where fact.type = 'to_staff'), 0)
      > coalesce(max(fact.number) filter (where fact.type in ('closed', 'resend')), 0) as is_with_staff,
    (array_agg(fact.type order by fact.number desc) filter (where fact.type in ('posted', 'refund_sent', 'sent', 'unsent', 'resend',
      'paid', 'returned', 'closed')))[1] as last_act
  from payments payment left join payment_facts fact on fact.payment_id = payment.id group by payment.id`;

const STEP = sql`
  case when folded.is_with_staff then 'with_staff'
    when payment.kind = 'deposit' then case
      when folded.last_act in ('posted', 'closed') or folded.credited_kobo > 0
        then case when folded.kept_kobo > 0 then 'credited' else 'closed' end
      when folded.last_act = 'refund_sent' then 'refunding' else 'open' end
    when folded.last_act = 'sent' then 'sent'
    when folded.last_act = 'paid' then 'paid'
    when folded.last_act = 'returned' then 'returned'
    when folded.last_act = 'closed' then case when folded.is_back then 'returned' else 'paid' end
    else 'held' end`;

/** What the ledger must hold for each payment, by its row and nothing else. */
const POSITION = sql`
  select payment.id, line.account, line.amount
  from payments payment
  cross join lateral (select payment.kept_kobo::numeric as kept, coalesce(payment.credit_rate_kobo, payment.rate_kobo)::numeric as rate,
    payment.kobo::numeric as ordered, payment.payer_fee_kobo::numeric as fee, payment.sent_kobo::numeric as sent) as of
  cross join lateral (select div(of.kept * 1000000 + of.rate - 1, of.rate) as credit, div(of.kept * 1000000, of.rate) as worth,
    div((of.kept + payment.borne_fee_kobo) * 1000000, of.rate) as held,
    div(of.ordered * 1000000, of.rate) as coins, div((of.ordered + of.fee) * 1000000, of.rate) as whole) as rounded
  cross join lateral (select case when payment.is_back then 0 else rounded.coins end as taken,
    case when payment.is_back then 0 else rounded.whole - rounded.coins end as fee,
    case when of.sent > of.ordered then rounded.coins + div((of.sent - of.ordered) * 1000000 + of.rate - 1, of.rate)
      when of.sent = of.ordered then rounded.coins
      else least(rounded.coins, div(of.sent * 1000000 + of.rate - 1, of.rate)) end as gone) as moved
  cross join lateral (
    select 'player ' || payment.player_id as account, rounded.credit as amount where payment.kind = 'deposit'
    union all select 'deposit_clearing', -rounded.held where payment.kind = 'deposit'
    union all select 'provider_fees', rounded.held - rounded.worth where payment.kind = 'deposit'
    union all select 'rounding', rounded.worth - rounded.credit where payment.kind = 'deposit'
    union all select case payment.kind when 'revenue' then 'revenue' else 'player ' || payment.player_id end, -moved.taken - moved.fee
      where payment.kind <> 'deposit'
    union all select 'provider_fees', moved.fee where payment.kind <> 'deposit'
    union all select 'withdrawal_clearing', greatest(moved.taken - moved.gone, 0) where payment.kind <> 'deposit'
    union all select 'deposit_clearing', moved.gone where payment.kind <> 'deposit'
    union all select 'provider_loss', -greatest(moved.gone - moved.taken, 0) where payment.kind <> 'deposit') as line
  where line.amount <> 0`;

const BOOKED = sql`
  select split_part(entry.source, ':', 1) as payment, case when account.kind in ('wallet', 'debts') then 'player ' || account.owner
    else account.kind end as account, sum(posting.amount) as amount
  from ledger_entries entry
  join ledger_postings posting on posting.entry_id = entry.id
  join ledger_accounts account on account.id = posting.account_id
  where entry.kind in ('deposit', 'deposit_taken', 'correction', 'withdrawal', 'withdrawal_paid', 'withdrawal_return')
  group by 1, 2 having sum(posting.amount) <> 0`;

/** Coins that bear no fees: games paid them, or they were given back after a forfeit. */
const PLAYED = sql`array['opening', 'win', 'draw', 'debt_repayment', 'forfeit', 'forfeit_return']`;

export const paymentInvariants: readonly Invariant[] = [
  keepsTriggers("a trigger protects the facts of payments", ["payment_facts payment_facts_append_only"]),
  holds(
    "the facts of each payment are numbered without a gap",
    sql`
      select 'payment ' || payment_id || ' has ' || count(*) || ' facts up to ' || max(number) as found
      from payment_facts group by payment_id having count(*) <> max(number) order by payment_id`,
  ),
  holds(
    "each payment's row is what its facts say",
    sql`
      select ${PAYMENT_NAME} || ': its facts say ' || ${STEP} || ', in ' || folded.in_kobo || ', back ' || folded.back_kobo || ', kept '
        || folded.kept_kobo || ', sent ' || folded.sent_kobo as found
      from payments payment join (${FOLDED}) as folded on folded.id = payment.id
      where payment.step <> ${STEP} or payment.last_fact <> folded.last_fact or payment.is_back <> folded.is_back
        or payment.sent_kobo <> folded.sent_kobo or payment.written_off_kobo <> folded.written_off_kobo
        or payment.borne_fee_kobo <> greatest(least(folded.borne_fee_kobo, folded.in_kobo - folded.back_kobo - folded.kept_kobo), 0)
        or (payment.kind = 'deposit' and (payment.in_kobo, payment.back_kobo, payment.kept_kobo, payment.credited_kobo)
          is distinct from (folded.in_kobo, folded.back_kobo, folded.kept_kobo, folded.credited_kobo))
        or payment.credit_rate_kobo is distinct from folded.credit_rate_kobo
      order by payment.created_at, payment.id`,
  ),
  holds(
    "the ledger holds for each payment exactly what its row implies",
    sql`
      select coalesce(${PAYMENT_NAME}, 'no payment ' || coalesce(booked.payment, position.id::text)) || ': ' || coalesce(booked.amount, 0)
        || ' booked to ' || coalesce(booked.account, position.account) || ', implied ' || coalesce(position.amount, 0) as found
      from (${POSITION}) as position
      full join (${BOOKED}) as booked on booked.payment = position.id::text and booked.account = position.account
      left join payments payment on payment.id::text = coalesce(booked.payment, position.id::text)
      where coalesce(booked.amount, 0) <> coalesce(position.amount, 0)
      order by 1`,
  ),
  holds(
    "no payment is credited or paid out twice, and each credit names the order's player and reference",
    sql`
      select 'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || ')' as found
      from ledger_entries entry
      left join payments payment on payment.id::text = split_part(entry.source, ':', 1)
      where entry.kind in ('deposit', 'deposit_taken', 'withdrawal', 'withdrawal_paid', 'withdrawal_return', 'correction')
        and (payment.id is null or (payment.kind = 'deposit') <> (entry.kind in ('deposit', 'deposit_taken')
            or (entry.kind = 'correction' and entry.details::jsonb ? 'keptKobo'))
          or entry.details::jsonb ->> 'reference' is distinct from payment.reference
          or (entry.kind in ('deposit', 'withdrawal', 'withdrawal_paid') and entry.source <> payment.id::text))
      order by entry.id`,
  ),
  holds(
    "money that nobody has been given is with staff or on its way back",
    sql`
      select ${PAYMENT_NAME} || ' has ' || payment.in_kobo - payment.back_kobo - payment.kept_kobo as found
      from payments payment
      where payment.kind = 'deposit' and payment.step not in ('with_staff', 'refunding')
        and payment.in_kobo - payment.back_kobo - payment.kept_kobo > payment.written_off_kobo + payment.borne_fee_kobo
        and not exists (select from payment_facts refund where refund.payment_id = payment.id and refund.type = 'refund_sent')
      order by payment.created_at, payment.id`,
  ),
  holds(
    "every correction is an act of staff with enough confirmations, and every act its fact",
    sql`
      select coalesce('correction ' || correction.id, 'fact ' || fact.number || ' of payment ' || fact.payment_id) as found
      from (select * from payment_corrections where outcome = 'done') as correction
      full join (select * from payment_facts where audit_event_id is not null) as fact on fact.audit_event_id = correction.audit_event_id
      left join audit_events event on event.id = coalesce(correction.audit_event_id, fact.audit_event_id)
      where correction.id is null or fact.payment_id is distinct from correction.payment_id or event.id is null
        or event.player_id is distinct from coalesce(correction.confirmed_by, correction.proposed_by)
        or event.action <> case correction.act when 'credit' then 'payment_credited' when 'debit' then 'payment_debited'
          when 'refund' then 'payment_refunded' when 'send_again' then 'payment_sent_again' else 'payment_written_off' end
        or (correction.confirmed_by = correction.proposed_by and correction.ended_at < correction.proposed_at + 3600000)
        or fact.number <> correction.last_fact + 1
      order by 1`,
  ),
  holds(
    "no player was credited more than their own deposit limits",
    sql`
      with bound as (
        select player_id, kind, case kind when 'depositDay' then 1 when 'depositWeek' then 7 else 30 end * 86400000::bigint as window_ms,
          value, updated_at as from_at, coalesce(next_at, 9007199254740991) as until_at
        from player_limits where kind like 'deposit%'
        union all
        select player_id, kind, case kind when 'depositDay' then 1 when 'depositWeek' then 7 else 30 end * 86400000::bigint,
          next_value, next_at, 9007199254740991
        from player_limits where kind like 'deposit%' and next_at is not null
      ), credited as (
        select id, kind, status, step, player_id, credited_kobo as kobo, completed_at from payments
        where kind = 'deposit' and credited_kobo > 0 and completed_at is not null)
      select ${PAYMENT_NAME} || ' makes ' || total.kobo || ' kobo of the ' || bound.value || ' of ' || bound.kind as found
      from bound
      join credited payment on payment.player_id = bound.player_id
        and payment.completed_at > bound.from_at and payment.completed_at < bound.until_at
      cross join lateral (
        select sum(other.kobo) as kobo from credited other
        where other.player_id = payment.player_id and other.completed_at <= payment.completed_at
          and other.completed_at > payment.completed_at - bound.window_ms) as total
      where total.kobo > bound.value
      order by payment.completed_at, payment.id`,
  ),
  holds(
    "the provider's fee is booked for each payment that had one",
    sql`
      select ${PAYMENT_NAME} || ': ' || coalesce(payment.fee_kobo::text, 'no') || ' kobo, booked '
        || coalesce(entry.details, 'nothing') as found
      from payments payment
      full join ledger_entries entry on entry.kind = 'provider_fee' and entry.source = payment.id || ':fee'
      where (entry.id is null or entry.kind = 'provider_fee')
        and (entry.id is not null or payment.fee_kobo is not null)
        and (entry.details::jsonb ->> 'kobo')::bigint is distinct from payment.fee_kobo
      order by payment.created_at`,
  ),
  holds(
    "every open payment is asked about again",
    sql`
      select ${PAYMENT_NAME} || ' is due never' as found from payments payment
      where payment.next_ask_at is null and (payment.step in ('held', 'sent', 'refunding', 'with_staff')
        or (payment.step = 'open' and payment.status in ('pending', 'processing')))
      order by payment.created_at, payment.id`,
  ),
  holds(
    "players are restricted exactly by the open disputes of their credited deposits",
    sql`
      select coalesce(${PAYMENT_NAME}, 'dispute of payment ' || dispute.payment_id) || case when dispute.payment_id is null
        then ' is disputed without a restriction' else ' restricts ' || dispute.player_id || ' without a dispute' end as found
      from (select * from deposit_disputes where until_at is null) as dispute
      full join (select * from payments where kind = 'deposit' and kept_kobo > 0 and status = 'review') as payment
        on payment.id = dispute.payment_id and payment.player_id = dispute.player_id
      where dispute.payment_id is null or payment.id is null
      order by 1`,
  ),
  holds(
    "no withdrawal was sent during a dispute or before a debt was repaid",
    sql`
      with debt as (
        select owner, from_at, lead(from_at) over (partition by owner order by entry_id) as until_at, total from (
          select account.owner, entry.id as entry_id, (extract(epoch from entry.at) * 1000)::bigint as from_at,
            sum(posting.amount) over (partition by account.id order by entry.id) as total
          from ledger_accounts account
          join ledger_postings posting on posting.account_id = account.id
          join ledger_entries entry on entry.id = posting.entry_id
          where account.kind = 'debts') as owed
      ), hold as (
        select player_id, from_at, until_at, 'a dispute' as name from deposit_disputes
        union all
        select owner, from_at, until_at, 'a debt' from debt where total < 0)
      select ${PAYMENT_NAME} || ' was sent to ' || payment.player_id || ' during ' || hold.name as found
      from payments payment join hold on hold.player_id = payment.player_id
      where payment.kind = 'withdrawal' and payment.sent_at > hold.from_at
        and (hold.until_at is null or payment.sent_at < hold.until_at)
      order by payment.created_at, payment.id`,
  ),
  holds(
    "the first withdrawal of unplayed coins from a card was sent after 72 hours (ruling 51)",
    sql`
      with first as (
        select payment_id, min(at) as from_at from payment_facts where type = 'waits' and outcome = 'first' group by payment_id)
      select ${PAYMENT_NAME} || ' was sent ' || payment.sent_at - first.from_at || ' ms after it began to wait' as found
      from first join payments payment on payment.id = first.payment_id
      where payment.sent_at < first.from_at + 259200000
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no withdrawal was sent while coins that it took were marked, for 72 hours at most (rulings 44 and 52)",
    sql`
      with marked as (
        select entry.source as payment, (extract(epoch from max(mark.until_at)) * 1000)::bigint as until_at
        from coin_marks mark
          join coin_pieces origin on origin.id = mark.deposit_id
          join coin_pieces piece on piece.deposit_id = mark.deposit_id and case when mark.wallet_id is null
            then piece.wallet_id <> origin.wallet_id else piece.wallet_id = mark.wallet_id and piece.gained_entry = any(mark.gained_in) end
          join coin_exits exit on exit.piece_id = piece.id
          join ledger_entries entry on entry.id = exit.entry_id and entry.kind = 'withdrawal'
        where mark.until_entry is null and mark.after_entry < entry.id and mark.until_at > entry.at
        group by entry.source
      ), waited as (
        select payment_id, min(at) as from_at from payment_facts where type = 'waits' and outcome = 'fair_play' group by payment_id)
      select ${PAYMENT_NAME} || ' was sent ' || marked.until_at - payment.sent_at || ' ms before the end of the marks' as found
      from marked
        join payments payment on payment.id::text = marked.payment
        left join waited on waited.payment_id = payment.id
      where payment.sent_at < marked.until_at and payment.sent_at < coalesce(waited.from_at + 259200000, payment.sent_at + 1)
      order by payment.created_at, payment.id`,
  ),
  holds(
    "the part of a withdrawal that waits goes where the rest of it goes",
    sql`
      select ${PAYMENT_NAME} || ' is part of ' || whole.id as found
      from payments payment join payments whole on whole.id = payment.part_of
      where whole.part_of is not null or whole.kind <> 'withdrawal'
        or (whole.player_id, whole.bank_code, whole.account_number, whole.rate_kobo, whole.created_at) is distinct from
          (payment.player_id, payment.bank_code, payment.account_number, payment.rate_kobo, payment.created_at)
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no withdrawal was sent while staff held its player's withdrawals",
    sql`
      select ${PAYMENT_NAME} || ' was sent to ' || payment.player_id || ' during hold ' || hold.id as found
      from withdrawal_holds hold join payments payment on payment.player_id = hold.player_id and payment.kind = 'withdrawal'
      where payment.sent_at > hold.from_at and (hold.until_at is null or payment.sent_at < hold.until_at)
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no player joined a game during a dispute",
    // A command may wait in its queue while the dispute ends.
    sql`
      select 'entry ' || entry.id || ' (' || entry.source || ') of ' || dispute.player_id as found
      from deposit_disputes dispute
      join ledger_accounts account on account.kind = 'wallet' and account.owner = dispute.player_id
      join ledger_postings posting on posting.account_id = account.id
      join ledger_entries entry on entry.id = posting.entry_id and entry.kind = 'stake'
      cross join lateral (select (extract(epoch from entry.at) * 1000)::bigint as at) as sat
      where sat.at > dispute.from_at and (dispute.until_at is null or sat.at < dispute.until_at - 60000)
      order by entry.id`,
  ),
  holds(
    "no deposit was credited to a player who was self-excluded, banned or closing the account",
    sql`
      select ${PAYMENT_NAME} || ' of ' || payment.player_id as found
      from payments payment
      join ledger_entries entry on entry.kind = 'deposit' and entry.source = payment.id::text
      cross join lateral (select (extract(epoch from entry.at) * 1000)::bigint as at) as credited
      where (exists (select from self_exclusions excluded where excluded.player_id = payment.player_id
          and credited.at > excluded.from_at and credited.at < excluded.until_at)
        or exists (select from bans ban where ban.player_id = payment.player_id and credited.at > ban.at)
        or exists (select from closing_accounts closing
          where closing.player_id = payment.player_id and credited.at > closing.at))
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no player made more withdrawals in 24 hours than were allowed",
    sql`
      select ${PAYMENT_NAME} || ' is number ' || made.count || ' of ' || payment.day_limit as found
      from payments payment
      cross join lateral (
        select count(*) as count from payments other
        where other.player_id = payment.player_id and other.kind = 'withdrawal' and not other.is_back
          and other.part_of is null and other.created_at <= payment.created_at
          and other.created_at > payment.created_at - 86400000) as made
      where payment.day_limit is not null and not payment.is_back and made.count > payment.day_limit
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no player paid more of the provider's fees than it charged for their deposits and transfers",
    sql`
      select 'player ' || borne.player_id || ' bore ' || borne.kobo || ' kobo of ' || coalesce(charged.kobo, 0) as found
      from (
        select player_id, sum(case kind when 'deposit' then borne_fee_kobo else payer_fee_kobo end) as kobo,
          count(*) filter (where kind = 'withdrawal') * 5000 as transfers from payments
        where (kind = 'withdrawal' and not is_back and payer_fee_kobo > 0) or borne_fee_kobo > 0 group by player_id) as borne
      left join (select player_id, sum(fee_kobo) as kobo from payments where kind = 'deposit' group by player_id) as charged
        using (player_id)
      where borne.kobo > coalesce(charged.kobo, 0) + borne.transfers
      order by 1`,
  ),
  holds(
    "no player withdrew more coins free of the provider's fees than games paid them",
    // A deposit that was never staked bears these fees. What a deleted account left is sent free.
    sql`
      with moved as (
        select account.owner, -sum(posting.amount) filter (where entry.kind = 'withdrawal') as taken,
          coalesce(sum(abs(posting.amount)) filter (where entry.kind = any (${PLAYED})), 0) as played,
          coalesce(sum((entry.details::jsonb ->> 'unplayed')::numeric) filter (where entry.kind = 'withdrawal'), 0) as unplayed
        from ledger_accounts account
        join ledger_postings posting on posting.account_id = account.id
        join ledger_entries entry on entry.id = posting.entry_id
        where account.kind = 'wallet' and (entry.kind = any (${PLAYED})
          or (entry.kind = 'withdrawal' and entry.details::jsonb ? 'unplayed'
            and exists (select from payments payment where payment.id::text = entry.source and not payment.is_back)))
        group by account.owner)
      select 'player ' || owner || ' withdrew ' || taken || ', of it ' || unplayed || ' never staked, and games paid ' || played as found
      from moved where taken - unplayed > played order by 1`,
  ),
  holds(
    "no transfer was ordered while all payouts were held",
    // The operator's clock and a server's may differ.
    sql`
      select ${PAYMENT_NAME} || ' was sent during the hold ' || hold.id as found
      from payout_holds hold
      join payments payment on payment.kind in ('withdrawal', 'revenue') and payment.sent_at > hold.from_at + 60000
        and payment.sent_at < coalesce(hold.until_at - 60000, payment.sent_at + 1)
      order by payment.created_at, payment.id`,
  ),
];
