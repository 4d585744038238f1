/**
 * What goes back to the payer of a credited deposit otherwise than whole and at once: a part that was refunded at the provider's own pages, or
 * a charge that was reversed once more after its dispute was won. `gone_kobo` is what the provider has said of it by its answer, all
 * told; `booked_kobo` what of that people have decided, each time by one entry `deposit_sent_back`, which takes its coins from the player
 * or is the platform's loss. What is gone and not booked waits for people.
 *
 * 510 has the rest of the function.
 */
export const up = `
  create or replace function ledger_is_sound_entry(kind text, source text, settled_game text, content_hash text) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return kind in ('deposit', 'deposit_reversal', 'deposit_return', 'deposit_sent_back', 'debt_repayment', 'stake', 'refund', 'win',
        'draw', 'withdrawal_hold', 'withdrawal_return', 'withdrawal_paid', 'revenue_withdrawal', 'revenue_return', 'provider_fee',
        'correction', 'closing_remainder', 'opening')
      and length(source) between 1 and 200 and length(content_hash) = 64 and ltrim(content_hash, '0123456789abcdef') = ''
      and (kind in ('refund', 'win', 'draw')) = (settled_game is not null);
  end $$;

  alter table payments add column gone_kobo bigint not null default 0, add column booked_kobo bigint not null default 0;
  alter table payments add constraint payments_gone_check check (booked_kobo between 0 and gone_kobo and gone_kobo <= kobo
    and (gone_kobo = 0 or money in ('credited', 'restored')));
  create index payments_to_look_at on payments (created_at, id) where status in ('review', 'pending') or gone_kobo > booked_kobo
    or (status = 'reversed' and completed_at is null);
`;
