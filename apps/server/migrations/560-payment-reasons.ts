/**
 * `payments.reason` holds a code instead of a sentence, and `reason_kobo` the amount that two of
 * the texts name. The texts are in packages/protocol/src/payments/payment-reasons.ts. Sentences of all
 * earlier releases are mapped here; an unknown one becomes `under_review` where the payment is in
 * review, else nothing.
 */
export const up = `
  alter table payments add column reason_kobo bigint check (reason_kobo > 0);

  update payments set
    reason_kobo = case
      when reason ~ '^What arrived was credited: ₦[0-9,]+([.][0-9]{2})?[.]$'
        or reason ~ '^₦[0-9,]+([.][0-9]{2})? of this payment went back to you, and its coins were taken back[.]$'
      then (replace(substring(reason from '₦([0-9,]+(?:[.][0-9]{2})?)'), ',', '')::numeric * 100)::bigint end,
    reason = case
      when reason = 'The payment could not be begun.' then 'start_failed'
      when reason = 'The payment was never begun.' then 'never_started'
      when reason = 'Your bank or card declined the payment.' then 'declined'
      when reason = 'The payment was not completed.' then 'not_completed'
      when reason = 'What arrived differs from what was to be paid. We are looking into it.' then 'amount_differs'
      when reason = 'This was paid long after it was begun, at a rate of before. We are looking into it.'
        then 'old_exchange_rate'
      when reason in ('This came in after its player had left.', 'This was paid after its player had left.')
        then 'account_deleted'
      when reason ~ '^What arrived was credited: ₦[0-9,]+([.][0-9]{2})?[.]$' then 'credited_actual_amount'
      when reason = 'Your bank disputes this payment. Nothing can be withdrawn until that is decided.' then 'disputed'
      when reason = 'The dispute about this payment was decided in your favour. Its coins come back once Paystack confirms it.'
        then 'dispute_won'
      when reason = 'The payment was reversed by your bank or card.' then 'reversed_by_bank'
      when reason = 'This is more than you let yourself deposit. It is being sent back to you.' then 'above_limit_refunding'
      when reason = 'This is more than you let yourself deposit. It was sent back to you.' then 'above_limit_refunded'
      when reason = 'This is more than you let yourself deposit. Your bank disputes it as well.' then 'above_limit_disputed'
      when reason = 'Your payment is being sent back to you.' then 'refunding'
      when reason = 'Your payment is still on its way back to you. We are looking into it.' then 'refund_slow'
      when reason = 'We could not send your payment back yet. We are looking into it.' then 'refund_failed'
      when reason = 'Your payment was sent back to you.' then 'refunded'
      when reason ~ '^₦[0-9,]+([.][0-9]{2})? of this payment went back to you, and its coins were taken back[.]$'
        then 'coins_taken_back'
      when reason = 'We are looking into this payment.' then 'under_review'
      when reason = 'Waiting for our bank. Your payment will be sent as soon as possible.' then 'awaiting_bank'
      when reason = 'Waiting for our confirmation.' then 'awaiting_confirmation'
      when reason ~* 'the bank did not take the payment[.]' then 'transfer_failed'
      when reason ~ '^The bank sent the payment back[.]' then 'transfer_reversed'
      when status = 'review' then 'under_review'
    end
  where reason is not null;

  alter table payments add constraint payments_reason_code check (reason in ('start_failed', 'never_started', 'declined',
    'not_completed', 'amount_differs', 'old_exchange_rate', 'account_deleted', 'credited_actual_amount', 'disputed', 'dispute_won',
    'reversed_by_bank', 'above_limit_refunding', 'above_limit_refunded', 'above_limit_disputed', 'refunding', 'refund_slow',
    'refund_failed', 'refunded', 'coins_taken_back', 'under_review', 'awaiting_bank', 'awaiting_confirmation', 'transfer_failed',
    'transfer_reversed'));
  alter table payments add constraint payments_reason_kobo check (
    (reason in ('credited_actual_amount', 'coins_taken_back')) is not distinct from (reason_kobo is not null)
      or (reason is null and reason_kobo is null));
`;
