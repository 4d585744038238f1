/**
 * Since when and until when the coins of a credited deposit are disputed or under review. Meanwhile
 * its player takes no seat and no withdrawal is sent (ruling 33). Periods are kept for the auditor;
 * those that are open at the migration begin with it. Instants are ms since 1970.
 */
export const up = `
  create table deposit_disputes (
    id bigint generated always as identity primary key,
    payment_id uuid not null references payments (id),
    player_id text not null check (length(player_id) between 8 and 36),
    from_at bigint not null,
    until_at bigint check (until_at >= from_at)
  );
  create unique index deposit_disputes_open on deposit_disputes (payment_id) where until_at is null;
  create index deposit_disputes_of_player on deposit_disputes (player_id);
  insert into deposit_disputes (payment_id, player_id, from_at)
    select id, player_id, (extract(epoch from now()) * 1000)::bigint from payments
    where kind = 'deposit' and money in ('credited', 'restored') and status = 'review';

  alter table payments drop constraint payments_reason_code;
  alter table payments add constraint payments_reason_code check (reason in ('start_failed', 'never_started', 'declined',
    'not_completed', 'amount_differs', 'old_exchange_rate', 'account_deleted', 'credited_actual_amount', 'disputed', 'dispute_won',
    'reversed_by_bank', 'above_limit_refunding', 'above_limit_refunded', 'above_limit_disputed', 'refunding', 'refund_slow',
    'refund_failed', 'refunded', 'coins_taken_back', 'under_review', 'awaiting_bank', 'awaiting_confirmation', 'awaiting_dispute',
    'awaiting_debt', 'awaiting_outcome', 'transfer_failed', 'transfer_reversed'));
`;
