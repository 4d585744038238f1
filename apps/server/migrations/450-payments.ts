/**
 * Money on its way in or out. A payment's row is written before the provider is called and is the queue itself: what is due is asked
 * for or sent by whoever claims it. `status` is what the player is told, `money` is what the ledger has done for it so far; the two and the
 * entry change in one transaction. Instants are ms since 1970. What the provider said is kept as its own text, ids digit by digit.
 */
export const up = `
  create table payments (
    id uuid primary key,
    kind text not null check (kind in ('deposit', 'withdrawal', 'revenue')),
    player_id text not null check (length(player_id) between 8 and 36),
    command_id text not null check (command_id ~ '^[A-Za-z0-9_-]{8,36}$'),
    kobo bigint not null check (kobo between 1 and 100000000000),
    rate_kobo int not null check (rate_kobo > 0),
    coins bigint not null check (coins between 1 and 9000000000000000),
    fee_kobo bigint check (fee_kobo >= 0),
    status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'reversed', 'abandoned', 'review')),
    money text not null check (money in ('none', 'credited', 'taken_back', 'held', 'paid', 'returned', 'lost')),
    reference text not null unique check (reference ~ '^[a-z0-9-]{16,50}$'),
    reason text check (length(reason) <= 300),
    provider text check (length(provider) <= 20000),
    authorization_url text check (length(authorization_url) <= 2000),
    bank_code text,
    bank_name text,
    account_number text check (account_number ~ '^[0-9]{10}$'),
    account_name text,
    recipient_code text,
    created_at bigint not null,
    updated_at bigint not null,
    completed_at bigint,
    attempts int not null default 0,
    next_attempt_at bigint,
    claimed_until bigint,
    sent_at bigint,
    asked_since bigint,
    unique (player_id, command_id),
    check ((kind = 'deposit') = (account_number is null)),
    check (account_number is null or (bank_code is not null and bank_name is not null and account_name is not null)),
    check (money = any (case kind when 'deposit' then array['none', 'credited', 'taken_back']
      else array['held', 'paid', 'returned', 'lost'] end)),
    check (status <> 'completed' or (money in ('credited', 'paid') and completed_at is not null)),
    check (status not in ('failed', 'abandoned') or money in ('none', 'returned'))
  );
  create index payments_due on payments (next_attempt_at) where next_attempt_at is not null;
  create index payments_of_player on payments (player_id, created_at desc, id);
  create index payments_by_time on payments (created_at);

  -- What the provider called us with, each event of each payment once, whatever number of times it was sent.
  create table payment_inbox (
    event text not null check (length(event) between 1 and 100),
    reference text not null check (length(reference) between 1 and 200),
    body text not null,
    received_at bigint not null,
    handled_at bigint,
    primary key (event, reference)
  );

  -- Accounts whose holder the provider has named to us. They are a player's own once confirmed by the password.
  create table bank_accounts (
    player_id text not null,
    bank_code text not null check (length(bank_code) between 1 and 20),
    account_number text not null check (account_number ~ '^[0-9]{10}$'),
    bank_name text not null,
    account_name text not null,
    verified_at bigint not null,
    confirmed_at bigint,
    primary key (player_id, bank_code, account_number)
  );

  -- The days that were compared with the provider, and what came of it.
  create table reconciliations (
    day date primary key,
    started_at bigint not null,
    finished_at bigint,
    settled int not null default 0,
    differences text not null default '[]'
  );

  create view transactions as
    select id, player_id as user_id, coins::numeric / 1000000 as amount,
      case kind when 'deposit' then 'deposit' else 'withdrawal' end as transaction_type,
      status, reference as payment_reference, to_timestamp(completed_at / 1000.0) as completed_at,
      to_timestamp(created_at / 1000.0) as created_at
    from payments where kind <> 'revenue';
`;
