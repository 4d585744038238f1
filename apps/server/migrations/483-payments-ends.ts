/**
 * What was still missing at the ends of payments. A dispute that is won after its deposit was taken back brings the coins back, once:
 * `restored`, by an entry `deposit_return`. Who closes their account leaves less than a kobo's worth behind: `closing_remainder`. And
 * where payers bear the provider's fee, a deposit keeps what was added for it. A deposit that is being sent back keeps in `sent_at` when
 * the provider was first told so, or may have been.
 */
export const up = `
  alter table ledger_entries drop constraint ledger_entries_kind_check;
  alter table ledger_entries add constraint ledger_entries_kind_check check (kind in ('deposit', 'deposit_reversal',
    'deposit_return', 'debt_repayment', 'stake', 'refund', 'win', 'draw', 'withdrawal_hold', 'withdrawal_return', 'withdrawal_paid',
    'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction', 'closing_remainder', 'opening'));

  alter table payments add column payer_fee_kobo bigint not null default 0 check (payer_fee_kobo >= 0);
  alter table payments add check (kind = 'deposit' or payer_fee_kobo = 0);
  alter table payments drop constraint payments_money_check;
  alter table payments add constraint payments_money_check
    check (money in ('none', 'credited', 'taken_back', 'restored', 'held', 'paid', 'returned', 'lost'));
  alter table payments drop constraint payments_check2;
  alter table payments add constraint payments_check2
    check (money = any (case kind when 'deposit' then array['none', 'credited', 'taken_back', 'restored']
      else array['held', 'paid', 'returned', 'lost'] end));
  alter table payments drop constraint payments_check3;
  alter table payments add constraint payments_check3
    check (status <> 'completed' or (money in ('credited', 'restored', 'paid') and completed_at is not null));
`;
