import { sql } from "kysely";
import { holds, type Invariant } from "../../platform/database/invariant.ts";

/** SQL that names a row of `ledger_entries`, aliased `entry`, in a finding. */
export const ENTRY_NAME = sql`'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || ')'`;
/** SQL that names a row of `ledger_accounts`, aliased `account`, in a finding. */
export const ACCOUNT_NAME = sql`'account ' || account.id || ' (' || account.kind || ' ' || account.owner || ')'`;

/** The entries that end a withdrawal or correct its end, each with the hold of its payment. */
const RESOLUTIONS = sql`
  select entry.id, entry.kind, entry.source, step.name as step,
    hold.id as hold_id, hold.kind = 'revenue_withdrawal' as is_revenue,
    taken.account_id as from_id, given.account_id as to_id, given.amount,
    held.account_id as held_from_id, -held.amount as held,
    case when sent.kobo is null or entry.kind <> 'correction' then -held.amount
      else div((sent.kobo - case when step.name like ':excess%' then sent.ordered else 0 end) * 1000000 + sent.rate - 1, sent.rate)
      end as due,
    exists (select from ledger_entries e where e.kind = 'correction' and e.source = payment.id || ':excess') as is_exceeded,
    exists (select from ledger_entries e where e.kind = 'correction'
      and e.source = payment.id || ':excess-reversed') as is_excess_back,
    exists (select from ledger_entries e where e.kind = 'withdrawal_paid' and e.source = payment.id) as is_paid,
    exists (select from ledger_entries e where e.kind in ('withdrawal_return', 'revenue_return') and e.source = payment.id) as is_returned,
    exists (select from ledger_entries e where e.kind in ('withdrawal_return', 'revenue_return')
      and e.source = payment.id || ':reversed') as is_reversed,
    exists (select from ledger_entries e where e.kind = 'correction' and e.source = payment.id || ':late-success') as is_lost
  from ledger_entries entry
  cross join lateral (select split_part(entry.source, ':', 1) as id) as payment
  cross join lateral (select substr(entry.source, length(payment.id) + 1) as name) as step
  cross join lateral (select (entry.details::jsonb ->> 'sentKobo')::numeric as kobo, (entry.details::jsonb ->> 'kobo')::numeric as ordered,
    (entry.details::jsonb ->> 'rateKobo')::numeric as rate) as sent
  left join ledger_entries hold on hold.kind in ('withdrawal_hold', 'revenue_withdrawal') and hold.source = payment.id
  left join ledger_postings held on held.entry_id = hold.id and held.amount < 0
  left join ledger_postings taken on taken.entry_id = entry.id and taken.amount < 0
  left join ledger_postings given on given.entry_id = entry.id and given.amount > 0
  where entry.kind in ('withdrawal_return', 'revenue_return', 'withdrawal_paid', 'correction')`;

export const paymentEntryInvariants: readonly Invariant[] = [
  holds(
    "coins of a payment are worth its naira: deposits are rounded up, withdrawals down",
    sql`
      with payment as (
        select entry.id, entry.kind, entry.source, (entry.details::jsonb ->> 'kobo')::numeric * 1000000 as scaled,
          (entry.details::jsonb ->> 'rateKobo')::numeric as rate
        from ledger_entries entry where entry.kind in ('deposit', 'withdrawal_hold', 'revenue_withdrawal', 'provider_fee')
      ), moved as (
        select payment.*, account.kind as account_kind, posting.amount,
          div(payment.scaled, payment.rate) as floor, div(payment.scaled + payment.rate - 1, payment.rate) as ceiling
        from payment
        join ledger_postings posting on posting.entry_id = payment.id
        join ledger_accounts account on account.id = posting.account_id)
      select ${ENTRY_NAME} || ' posts ' || entry.amount || ' to ' || entry.account_kind || ', worth '
        || coalesce(entry.floor::text, 'nothing known') as found
      from moved as entry
      where entry.amount is distinct from case
        when entry.kind = 'deposit' and entry.account_kind = 'wallet' then entry.ceiling
        when entry.kind = 'deposit' and entry.account_kind = 'deposit_clearing' then -entry.floor
        when entry.kind = 'deposit' and entry.account_kind = 'rounding' then entry.floor - entry.ceiling
        when entry.kind in ('withdrawal_hold', 'revenue_withdrawal') then sign(entry.amount) * entry.floor
        when entry.kind = 'provider_fee' then sign(entry.amount) * entry.ceiling end
      order by entry.id`,
  ),
  holds(
    "withdrawal clearing holds exactly the withdrawals that are neither paid nor returned",
    sql`
      select 'withdrawal clearing holds ' || clearing.total || ', on its way are ' || under_way.total as found
      from (
        select coalesce(sum(posting.amount), 0) as total from ledger_postings posting
        join ledger_accounts account on account.id = posting.account_id and account.kind = 'withdrawal_clearing') as clearing
      cross join (
        select coalesce(sum(posting.amount), 0) as total from ledger_entries hold
        join ledger_postings posting on posting.entry_id = hold.id and posting.amount > 0
        where hold.kind in ('withdrawal_hold', 'revenue_withdrawal') and not exists (
          select from ledger_entries ended where ended.source = hold.source
            and ended.kind in ('withdrawal_return', 'revenue_return', 'withdrawal_paid'))) as under_way
      where clearing.total <> under_way.total`,
  ),
  holds(
    "a withdrawal ends once, paid or returned in full to its source, and only allowed corrections follow",
    sql`
      select ${ENTRY_NAME} || ' of ' || entry.amount || ', held ' || coalesce(entry.held::text, 'nothing')
        || case when entry.is_paid then ', paid' else '' end || case when entry.is_returned then ', given back' else '' end as found
      from (${RESOLUTIONS}) as entry
      join ledger_accounts source on source.id = entry.from_id
      join ledger_accounts target on target.id = entry.to_id
      where entry.hold_id is null or entry.amount <> entry.due or not coalesce(case entry.kind || entry.step
        when 'withdrawal_paid' then not entry.is_returned and source.kind = 'withdrawal_clearing' and target.kind = 'deposit_clearing'
        when 'withdrawal_return' then not entry.is_paid and not entry.is_revenue and source.kind = 'withdrawal_clearing'
          and target.id = entry.held_from_id
        when 'revenue_return' then not entry.is_paid and entry.is_revenue and source.kind = 'withdrawal_clearing'
          and target.id = entry.held_from_id
        when 'withdrawal_return:reversed' then entry.is_paid and not entry.is_revenue and source.kind = 'deposit_clearing'
          and target.id = entry.held_from_id
        when 'revenue_return:reversed' then entry.is_paid and entry.is_revenue and source.kind = 'deposit_clearing'
          and target.id = entry.held_from_id
        when 'correction:late-success' then (entry.is_returned or entry.is_reversed) and source.kind = 'provider_loss' and target.kind = 'deposit_clearing'
        when 'correction:reversed' then entry.is_lost and source.kind = 'deposit_clearing' and target.kind = 'provider_loss'
        when 'correction:excess' then entry.is_paid and entry.is_reversed = entry.is_excess_back
          and source.kind = 'provider_loss' and target.kind = 'deposit_clearing'
        when 'correction:excess-reversed' then entry.is_reversed and entry.is_exceeded
          and source.kind = 'deposit_clearing' and target.kind = 'provider_loss'
        end, false)
      order by entry.id`,
  ),
  holds(
    "a withdrawal's fee is charged once, from its own wallet, and is returned exactly when its coins are",
    sql`
      with hold as (
        select entry.id, entry.kind, entry.source, posting.account_id as wallet_id, worth.with_fee - worth.without as due,
          exists (select from ledger_entries back where back.kind = 'withdrawal_return'
            and back.source in (entry.source, entry.source || ':reversed')) as is_back
        from ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id and posting.amount < 0
        cross join lateral (select (entry.details::jsonb ->> 'kobo')::numeric as kobo,
          coalesce((entry.details::jsonb ->> 'feeKobo')::numeric, 0) as fee, (entry.details::jsonb ->> 'rateKobo')::numeric as rate) as named
        cross join lateral (select div(named.kobo * 1000000, named.rate) as without,
          div((named.kobo + named.fee) * 1000000, named.rate) as with_fee) as worth
        where entry.kind = 'withdrawal_hold'
      ), fee as (
        select entry.id, entry.kind, entry.source, posting.account_id as wallet_id, posting.amount
        from ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id
        join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
        where entry.kind in ('withdrawal_fee', 'withdrawal_fee_return'))
      select case when entry.id is null then 'hold ' || hold.source else ${ENTRY_NAME} end || ': ' || coalesce(hold.due::text, 'no hold')
        || ' due, ' || coalesce(entry.amount::text, 'nothing') || ' posted, ' || coalesce(back.amount::text, 'nothing') || ' returned' as found
      from hold full join (select * from fee where kind = 'withdrawal_fee') as entry on entry.source = hold.source
      full join (select * from fee where kind = 'withdrawal_fee_return') as back on back.source = entry.source
      where coalesce(hold.due, -1) <> coalesce(-entry.amount, 0)
        or coalesce(entry.wallet_id <> hold.wallet_id or back.wallet_id <> hold.wallet_id, false)
        or coalesce(back.amount, 0) <> case when hold.is_back then hold.due else 0 end
      order by hold.id`,
  ),
  holds(
    "a reversed deposit is taken back in full from its player's wallet and debts",
    sql`
      with posted as (
        select entry.id, entry.kind, entry.source, posting.amount,
          case when account.kind in ('wallet', 'debts') then 'player ' || account.owner else account.kind end as whose
        from ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id
        join ledger_accounts account on account.id = posting.account_id
        where entry.kind in ('deposit', 'deposit_reversal')
      ), summed as (
        select source, whose, sum(amount) as total from posted
        where source in (select source from posted where kind = 'deposit_reversal') group by source, whose)
      select 'deposit ' || source || ' and its reversal leave ' || total || ' with ' || whose as found
      from summed where total <> 0 order by source`,
  ),
  holds(
    "a deposit that returns after a reversal undoes each posting of the reversal",
    sql`
      with posted as (
        select entry.source, posting.amount,
          case when account.kind in ('wallet', 'debts') then 'player ' || account.owner else account.kind end as whose
        from ledger_entries entry
        join ledger_postings posting on posting.entry_id = entry.id
        join ledger_accounts account on account.id = posting.account_id
        where entry.kind in ('deposit_reversal', 'deposit_return')
          and entry.source in (select source from ledger_entries where kind = 'deposit_return')
      ), summed as (select source, whose, sum(amount) as total from posted group by source, whose)
      select 'deposit ' || source || ' was taken and given back, which leaves ' || total || ' with ' || whose as found
      from summed where total <> 0 order by source`,
  ),
  holds(
    "refunded parts of a deposit are booked once, in order, up to its amount, to its player or as the platform's loss",
    sql`
      with booked as (
        select entry.id, entry.kind, entry.source, deposit.id as deposit_id, details.of ->> 'bearer' as bearer,
          (details.of ->> 'kobo')::numeric as kobo, (details.of ->> 'goneKobo')::numeric as gone,
          coalesce(lag((details.of ->> 'goneKobo')::numeric) over (partition by deposit.id order by entry.id), 0) as before,
          (deposit.details::jsonb ->> 'kobo')::numeric as whole, (deposit.details::jsonb ->> 'rateKobo')::numeric as rate
        from ledger_entries entry
        cross join lateral (select entry.details::jsonb as of) as details
        left join ledger_entries deposit on deposit.kind = 'deposit' and deposit.source = split_part(entry.source, ':', 1)
        where entry.kind = 'deposit_sent_back'
      ), meant as (
        select booked.*, div(gone * 1000000, rate) - div(before * 1000000, rate) as worth,
          case when gone = whole then div(gone * 1000000 + rate - 1, rate) else div(gone * 1000000, rate) end
            - div(before * 1000000, rate) as owed
        from booked
      ), moved as (
        select posting.entry_id,
          sum(posting.amount) filter (where account.kind = 'deposit_clearing') as clearing,
          sum(posting.amount) filter (where account.kind = 'provider_loss') as loss,
          sum(posting.amount) filter (where account.kind in ('wallet', 'debts')) as player,
          min(account.owner) filter (where account.kind in ('wallet', 'debts')) as owner
        from ledger_postings posting join ledger_accounts account on account.id = posting.account_id group by posting.entry_id
      ), payer as (
        select posting.entry_id, account.owner from ledger_postings posting
        join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet')
      select ${ENTRY_NAME} || ' books ' || coalesce(entry.before::text, '?') || ' to ' || coalesce(entry.gone::text, '?') || ' of '
        || coalesce(entry.whole::text, 'no deposit') || ' kobo as ' || coalesce(moved.clearing::text, 'nothing') as found
      from meant entry join moved on moved.entry_id = entry.id
      left join payer on payer.entry_id = entry.deposit_id
      where not coalesce(entry.source = split_part(entry.source, ':', 1) || ':' || entry.gone
        and entry.before < entry.gone and entry.gone <= entry.whole and entry.kobo = entry.gone - entry.before
        and moved.clearing = entry.worth and case entry.bearer
          when 'platform' then moved.loss = -entry.worth and moved.player is null
          when 'player' then moved.player = -entry.owed and moved.loss is null and moved.owner = payer.owner end, false)
      order by entry.id`,
  ),
  holds(
    "a deposit with a booked partial refund is not reversed in full as well",
    sql`
      select ${ENTRY_NAME} as found from ledger_entries entry
      where entry.kind = 'deposit_sent_back'
        and exists (select from ledger_entries back where back.kind = 'deposit_reversal' and back.source = split_part(entry.source, ':', 1))
        and not exists (select from ledger_entries back where back.kind = 'deposit_return' and back.source = split_part(entry.source, ':', 1))
      order by entry.id`,
  ),
  holds(
    "a closed account leaves coins worth less than one kobo",
    sql`
      select ${ENTRY_NAME} || ' takes ' || posting.amount as found
      from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id and posting.amount > 0
      where entry.kind = 'closing_remainder' and posting.amount * (entry.details::jsonb ->> 'rateKobo')::numeric >= 1000000
      order by entry.id`,
  ),
  holds(
    "a debt is repaid from its debtor's wallet",
    sql`
      select ${ENTRY_NAME} || ' takes from ' || payer.owner || ' for ' || debtor.owner as found
      from ledger_entries entry
      join ledger_postings paid on paid.entry_id = entry.id and paid.amount < 0
      join ledger_accounts payer on payer.id = paid.account_id
      join ledger_postings repaid on repaid.entry_id = entry.id and repaid.amount > 0
      join ledger_accounts debtor on debtor.id = repaid.account_id
      where entry.kind = 'debt_repayment' and payer.owner <> debtor.owner
      order by entry.id`,
  ),
  holds(
    "a player with a debt has an empty wallet",
    sql`
      select ${ACCOUNT_NAME} || ' is ' || debt.total || ', the wallet holds ' || wallet.balance as found
      from ledger_accounts account
      join (select account_id, sum(amount) as total from ledger_postings group by account_id) as debt
        on debt.account_id = account.id and debt.total < 0
      left join ledger_accounts wallet on wallet.kind = 'wallet' and wallet.owner = account.owner
      where account.kind = 'debts' and wallet.balance is distinct from 0
      order by account.id`,
  ),
  holds(
    "revenue and withdrawal clearing were never below zero; debts, losses, fees (except fees that players bear) and rounding (except closings) were never above zero",
    sql`
      select ${ACCOUNT_NAME} || ' was at ' || line.running || ' after entry ' || line.entry_id as found
      from ledger_accounts account
      join lateral (
        select entry_id, sum(amount) over (order by entry_id) as running
        from ledger_postings posting
        where posting.account_id = account.id and (account.kind not in ('rounding', 'provider_fees') or not exists (
          select from ledger_entries entry where entry.id = posting.entry_id
            and entry.kind in ('closing_remainder', 'withdrawal_fee', 'withdrawal_fee_return')))) as line
        on case when account.kind in ('revenue', 'withdrawal_clearing') then line.running < 0 else line.running > 0 end
      where account.kind in ('revenue', 'withdrawal_clearing', 'debts', 'provider_fees', 'provider_loss', 'rounding')
      order by line.entry_id`,
  ),
];
