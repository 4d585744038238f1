/**
 * What was deposited and never staked bears the provider's fees of both ways when it is withdrawn
 * (ruling 37): `payer_fee_kobo` of a withdrawal, taken by an entry of its own and returned with its
 * coins. A player can cancel a withdrawal that waits.
 */
export const up = `
  create or replace function ledger_is_sound_entry(kind text, source text, settled_game text, content_hash text) returns boolean
  language plpgsql immutable parallel safe as $$
  begin
    return kind in ('deposit', 'deposit_reversal', 'deposit_return', 'deposit_sent_back', 'debt_repayment', 'stake', 'refund', 'win',
        'draw', 'withdrawal_hold', 'withdrawal_fee', 'withdrawal_fee_return', 'withdrawal_return', 'withdrawal_paid',
        'revenue_withdrawal', 'revenue_return', 'provider_fee', 'correction', 'closing_remainder', 'opening')
      and length(source) between 1 and 200 and length(content_hash) = 64 and ltrim(content_hash, '0123456789abcdef') = ''
      and (kind in ('refund', 'win', 'draw')) = (settled_game is not null);
  end $$;

  do $do$
  declare known text;
  begin
    select conname into strict known from pg_constraint
      where conrelid = 'payments'::regclass and contype = 'c'
        and pg_get_constraintdef(oid) like '%payer_fee_kobo%' and pg_get_constraintdef(oid) like '%kind%';
    execute format('alter table payments drop constraint %I', known);
    alter table payments add constraint payments_payer_fee_kind check (kind <> 'revenue' or payer_fee_kobo = 0);

    select pg_get_expr(conbin, conrelid) into strict known from pg_constraint
      where conrelid = 'payments'::regclass and conname = 'payments_reason_code';
    alter table payments drop constraint payments_reason_code;
    execute format('alter table payments add constraint payments_reason_code check ((%s) or reason = %L)', known,
      'withdrawal_cancelled');
  end $do$;
`;
