import { sql } from "kysely";
import { holds, type Invariant } from "../../platform/database/invariant.ts";

/** SQL that names a row of `ledger_entries`, aliased `entry`, in a finding. */
export const ENTRY_NAME = sql`'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || ')'`;
/** SQL that names a row of `ledger_accounts`, aliased `account`, in a finding. */
export const ACCOUNT_NAME = sql`'account ' || account.id || ' (' || account.kind || ' ' || account.owner || ')'`;

export const paymentEntryInvariants: readonly Invariant[] = [
  holds(
    "coins of an accepted payment are worth its naira: withdrawals and their fees rounded down, the provider's fees up",
    sql`
      with payment as (
        select entry.id, entry.kind, entry.source, (entry.details::jsonb ->> 'kobo')::numeric as kobo,
          coalesce((entry.details::jsonb ->> 'feeKobo')::numeric, 0) as fee, (entry.details::jsonb ->> 'rateKobo')::numeric as rate
        from ledger_entries entry where entry.kind in ('withdrawal', 'provider_fee')
      ), moved as (
        select payment.*, account.kind as account_kind, posting.amount, div(payment.kobo * 1000000, payment.rate) as floor,
          div(payment.kobo * 1000000 + payment.rate - 1, payment.rate) as ceiling,
          div((payment.kobo + payment.fee) * 1000000, payment.rate) as whole
        from payment
        join ledger_postings posting on posting.entry_id = payment.id
        join ledger_accounts account on account.id = posting.account_id)
      select ${ENTRY_NAME} || ' posts ' || entry.amount || ' to ' || entry.account_kind || ', worth '
        || coalesce(entry.floor::text, 'nothing known') as found
      from moved as entry
      where entry.amount is distinct from case
        when entry.kind = 'provider_fee' then sign(entry.amount) * entry.ceiling
        when entry.account_kind in ('wallet', 'revenue') then -entry.whole
        when entry.account_kind = 'withdrawal_clearing' then entry.floor
        when entry.account_kind = 'provider_fees' then entry.whole - entry.floor end
      order by entry.id`,
  ),
  holds(
    "a payment's entries follow its acceptance: taken back after a credit, paid or returned after a withdrawal",
    sql`
      select ${ENTRY_NAME} as found from ledger_entries entry
      where entry.kind in ('deposit_taken', 'withdrawal_paid', 'withdrawal_return') and not exists (
        select from ledger_entries begun where begun.source = split_part(entry.source, ':', 1) and begun.id < entry.id
          and begun.kind = case entry.kind when 'deposit_taken' then 'deposit' else 'withdrawal' end)
        and not exists (select from ledger_entries given where given.kind = 'correction' and entry.kind = 'deposit_taken'
          and split_part(given.source, ':', 1) = split_part(entry.source, ':', 1) and given.id < entry.id)
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
        where posting.account_id = account.id and not exists (
          select from ledger_entries entry where entry.id = posting.entry_id
            and ((account.kind = 'rounding' and entry.kind = 'closing_remainder')
              or (account.kind = 'provider_fees' and entry.kind in ('withdrawal', 'withdrawal_return', 'correction'))))) as line
        on case when account.kind in ('revenue', 'withdrawal_clearing') then line.running < 0 else line.running > 0 end
      where account.kind in ('revenue', 'withdrawal_clearing', 'debts', 'provider_fees', 'provider_loss', 'rounding')
      order by line.entry_id`,
  ),
];
