/**
 * A deposit keeps its exchange rate for 30 minutes; a later payment gets the rate of its moment
 * (ruling 35). `paid_at` is when the provider was paid, in ms since 1970. One that arrives for a
 * player who may not deposit goes back (ruling 36).
 */
export const up = `
  alter table payments add column paid_at bigint check (paid_at is null or kind = 'deposit');

  alter table payments drop constraint payments_reason_code;
  alter table payments add constraint payments_reason_code check (reason in ('start_failed', 'never_started', 'declined',
    'not_completed', 'amount_differs', 'old_exchange_rate', 'account_deleted', 'credited_actual_amount', 'disputed', 'dispute_won',
    'reversed_by_bank', 'above_limit_refunding', 'above_limit_refunded', 'above_limit_disputed', 'restricted_refunding',
    'restricted_refunded', 'restricted_disputed', 'rate_fewer_coins', 'rate_more_coins', 'refunding', 'refund_slow', 'refund_failed',
    'refunded', 'coins_taken_back', 'under_review', 'awaiting_bank', 'awaiting_confirmation', 'awaiting_dispute', 'awaiting_debt',
    'awaiting_outcome', 'transfer_failed', 'transfer_reversed'));
  alter table payments drop constraint payments_reason_kobo;
  alter table payments add constraint payments_reason_kobo check (
    (reason in ('credited_actual_amount', 'coins_taken_back', 'rate_fewer_coins', 'rate_more_coins'))
      is not distinct from (reason_kobo is not null) or (reason is null and reason_kobo is null));
`;
