import { sql } from "kysely";
import { holds, type Invariant } from "../../platform/database/invariant.ts";

const PAYMENT_NAME = sql`'payment ' || payment.id || ' (' || payment.kind || ' ' || payment.status || ', ' || payment.money || ')'`;

/** The money of each payment by its journal entries. */
const LEDGER_STATE = sql`
  select payment.id,
    case
      when payment.kind = 'deposit' then
        case when found.back then 'restored' when found.reversal then 'taken_back' when found.deposit then 'credited' else 'none' end
      when not found.hold then 'nothing held'
      when found.loss and not found.recovery then 'lost'
      when found.returned or found.reversed then 'returned'
      when found.paid then 'paid'
      else 'held'
    end as money
  from payments payment
  cross join lateral (
    select
      coalesce(bool_or(entry.kind = 'deposit'), false) as deposit,
      coalesce(bool_or(entry.kind = 'deposit_reversal'), false) as reversal,
      coalesce(bool_or(entry.kind = 'deposit_return'), false) as back,
      coalesce(bool_or(entry.kind in ('withdrawal_hold', 'revenue_withdrawal')), false) as hold,
      coalesce(bool_or(entry.kind = 'withdrawal_paid'), false) as paid,
      coalesce(bool_or(entry.kind in ('withdrawal_return', 'revenue_return') and entry.source = payment.id::text), false) as returned,
      coalesce(bool_or(entry.kind in ('withdrawal_return', 'revenue_return') and entry.source <> payment.id::text), false) as reversed,
      coalesce(bool_or(entry.kind = 'correction' and entry.source like '%:late-success'), false) as loss,
      coalesce(bool_or(entry.kind = 'correction' and entry.source like '%:reversed'), false) as recovery
    from ledger_entries entry
    where entry.source in (payment.id::text, payment.id || ':reversed', payment.id || ':late-success')
      and entry.kind in ('deposit', 'deposit_reversal', 'deposit_return', 'withdrawal_hold', 'withdrawal_return', 'withdrawal_paid',
        'revenue_withdrawal', 'revenue_return', 'correction')
  ) as found`;

export const paymentInvariants: readonly Invariant[] = [
  holds(
    "the coins of each payment are where its row says",
    sql`
      select ${PAYMENT_NAME} || ': the ledger says ' || ledger.money as found
      from payments payment join (${LEDGER_STATE}) as ledger on ledger.id = payment.id
      where ledger.money <> payment.money
      order by payment.created_at, payment.id`,
  ),
  holds(
    "every deposit and withdrawal entry matches a payment, its player and its amount",
    // The naira of the row are what a transfer sends.
    sql`
      select 'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || '): ' ||
        coalesce(${PAYMENT_NAME}, 'no payment') as found
      from ledger_entries entry
      left join payments payment on payment.id::text = entry.source
      left join lateral (
        select posting.amount, account.owner from ledger_postings posting
        join ledger_accounts account on account.id = posting.account_id
          and account.kind = case entry.kind when 'revenue_withdrawal' then 'revenue' else 'wallet' end
        where posting.entry_id = entry.id) as line on true
      cross join lateral (select entry.details::jsonb as of) as details
      where entry.kind in ('deposit', 'withdrawal_hold', 'revenue_withdrawal') and (
        payment.id is null
        or payment.kind <> case entry.kind when 'deposit' then 'deposit' when 'withdrawal_hold' then 'withdrawal' else 'revenue' end
        or (entry.kind <> 'revenue_withdrawal' and line.owner is distinct from payment.player_id)
        or abs(line.amount) is distinct from payment.coins
        or (details.of ->> 'kobo')::bigint is distinct from payment.kobo
        or (details.of ->> 'rateKobo')::bigint is distinct from payment.rate_kobo
        or details.of ->> 'reference' is distinct from payment.reference)
      order by entry.id`,
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
        select id, kind, status, money, player_id, kobo, completed_at from payments
        where kind = 'deposit' and money <> 'none' and completed_at is not null)
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
    "every open payment has a next attempt",
    sql`
      select ${PAYMENT_NAME} || ' is due never' as found from payments payment
      where payment.next_attempt_at is null
        and (payment.money = 'held' or (payment.money = 'none' and payment.status in ('pending', 'processing'))
          or (payment.money in ('none', 'taken_back') and payment.status = 'reversed' and payment.sent_at is not null
            and payment.completed_at is null))
      order by payment.created_at, payment.id`,
  ),
  holds(
    "an outgoing payment's status matches its coins: open while they are held, ended otherwise",
    sql`
      select ${PAYMENT_NAME} as found from payments payment
      where payment.kind <> 'deposit' and (payment.money, payment.status) not in (('held', 'pending'), ('held', 'processing'),
        ('held', 'review'), ('paid', 'completed'), ('returned', 'failed'), ('returned', 'reversed'), ('returned', 'abandoned'),
        ('returned', 'review'), ('lost', 'review'), ('lost', 'completed'))
      order by payment.created_at, payment.id`,
  ),
  holds(
    "the booked refunds of each deposit match its ledger entries",
    sql`
      select coalesce(${PAYMENT_NAME} || ': ' || payment.allocated_kobo, 'no payment') || ' kobo booked, ' || coalesce(entry.kobo, 0)
        || ' by the ledger' as found
      from payments payment
      full join (
        select split_part(source, ':', 1) as payment_id, sum((details::jsonb ->> 'kobo')::bigint) as kobo
        from ledger_entries where kind = 'deposit_sent_back' group by 1) entry on entry.payment_id = payment.id::text
      where coalesce(entry.kobo, 0) <> coalesce(payment.allocated_kobo, 0)
      order by 1`,
  ),
  holds(
    "two players who confirmed the same bank account are marked as never to be paired",
    sql`
      select own.player_id || ' and ' || other.player_id || ' confirmed one bank account' as found
      from bank_accounts own join bank_accounts other using (bank_code, account_number)
      where own.confirmed_at is not null and other.confirmed_at is not null and own.player_id < other.player_id
        and not exists (
          select from shared_bank_accounts shared
          where shared.player_id = own.player_id and shared.other_id = other.player_id)
      order by 1`,
  ),
  holds(
    "players are restricted exactly by the open disputes of their credited deposits",
    sql`
      select coalesce(${PAYMENT_NAME}, 'dispute of payment ' || dispute.payment_id) || case when dispute.payment_id is null
        then ' is disputed without a restriction' else ' restricts ' || dispute.player_id || ' without a dispute' end as found
      from (select * from deposit_disputes where until_at is null) as dispute
      full join (select * from payments where kind = 'deposit' and money in ('credited', 'restored') and status = 'review') as payment
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
        where other.player_id = payment.player_id and other.kind = 'withdrawal' and other.money <> 'returned'
          and other.created_at <= payment.created_at and other.created_at > payment.created_at - 86400000) as made
      where payment.day_limit is not null and payment.money <> 'returned' and made.count > payment.day_limit
      order by payment.created_at, payment.id`,
  ),
  holds(
    "a withdrawal's share of the provider's fees matches its hold",
    sql`
      select ${PAYMENT_NAME} || ' bears ' || payment.payer_fee_kobo || ' kobo, its hold ' || named.fee as found
      from payments payment
      join ledger_entries entry on entry.kind = 'withdrawal_hold' and entry.source = payment.id::text
      cross join lateral (select coalesce((entry.details::jsonb ->> 'feeKobo')::bigint, 0) as fee) as named
      where named.fee <> payment.payer_fee_kobo
      order by payment.created_at, payment.id`,
  ),
  holds(
    "no player paid more of the provider's fees than it charged for their deposits and transfers",
    sql`
      select 'player ' || borne.player_id || ' bore ' || borne.kobo || ' kobo of ' || coalesce(charged.kobo, 0) as found
      from (
        select player_id, sum(payer_fee_kobo) as kobo, count(*) * 5000 as transfers from payments
        where kind = 'withdrawal' and money <> 'returned' and payer_fee_kobo > 0 group by player_id) as borne
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
        select account.owner, -sum(posting.amount) filter (where entry.kind in ('withdrawal_hold', 'withdrawal_fee')) as taken,
          coalesce(sum(abs(posting.amount)) filter (where entry.kind in ('opening', 'win', 'draw', 'debt_repayment')), 0) as played,
          coalesce(sum((entry.details::jsonb ->> 'unplayed')::numeric) filter (where entry.kind = 'withdrawal_hold'), 0) as unplayed
        from ledger_accounts account
        join ledger_postings posting on posting.account_id = account.id
        join ledger_entries entry on entry.id = posting.entry_id
        where account.kind = 'wallet' and (entry.kind in ('opening', 'win', 'draw', 'debt_repayment')
          or (entry.kind in ('withdrawal_hold', 'withdrawal_fee')
            and exists (select from ledger_entries hold where hold.kind = 'withdrawal_hold' and hold.source = entry.source
              and hold.details::jsonb ? 'unplayed')
            and not exists (select from ledger_entries back where back.kind = 'withdrawal_return'
              and back.source in (entry.source, entry.source || ':reversed'))))
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
  holds(
    "every processed webhook belongs to a payment",
    sql`
      select 'webhook ' || webhook.event || ' of ' || webhook.reference as found from payment_inbox webhook
      where webhook.handled_at is not null
        and not exists (select from payments payment where payment.reference = webhook.reference)
      order by webhook.received_at`,
  ),
];
