-- Money on its way in or out. Instants are ms since 1970, sums kobo or micro-coins.

-- Written before the provider is called, and the queue itself. `status` is what the player reads, `money` what
-- the ledger has done. `refunded_kobo` is returned by the provider, `allocated_kobo` decided by staff.
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
  money text not null check (money in ('none', 'credited', 'taken_back', 'restored', 'held', 'paid', 'returned', 'lost')),
  reference text not null check (reference ~ '^[a-z0-9-]{16,50}$') unique,
  reason text check (reason in ('start_failed', 'never_started', 'declined', 'not_completed',
    'amount_differs', 'old_exchange_rate', 'account_deleted', 'credited_actual_amount', 'disputed', 'dispute_won', 'reversed_by_bank',
    'above_limit_refunding', 'above_limit_refunded', 'above_limit_disputed', 'restricted_refunding', 'restricted_refunded',
    'restricted_disputed', 'rate_fewer_coins', 'rate_more_coins', 'refunding', 'refund_slow', 'refund_failed', 'refunded',
    'coins_taken_back', 'under_review', 'awaiting_bank', 'awaiting_confirmation', 'awaiting_dispute', 'awaiting_debt',
    'awaiting_outcome', 'transfer_failed', 'transfer_reversed', 'awaiting_staff',
    'withdrawal_cancelled', 'awaiting_records', 'paid_less', 'awaiting_provider')),
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
  payer_fee_kobo bigint not null default 0 check (payer_fee_kobo >= 0),
  refunded_kobo bigint not null default 0,
  allocated_kobo bigint not null default 0,
  reason_kobo bigint check (reason_kobo > 0),
  paid_at bigint,
  day_limit int,
  processing_since bigint,
  slow_since bigint,
  sent_kobo bigint,
  unique (player_id, command_id),
  check ((kind = 'deposit') = (account_number is null)),
  check (account_number is null or (bank_code is not null and bank_name is not null and account_name is not null)),
  check (money = any (case kind when 'deposit' then array['none', 'credited', 'taken_back', 'restored'] else array['held', 'paid',
    'returned', 'lost'] end)),
  check (status <> 'completed' or (money in ('credited', 'restored', 'paid', 'lost') and completed_at is not null)),
  check (status not in ('failed', 'abandoned') or money in ('none', 'returned')),
  check (paid_at is null or kind = 'deposit'),
  check (day_limit is null or (day_limit > 0 and kind = 'withdrawal')),
  check ((allocated_kobo >= 0 and allocated_kobo <= refunded_kobo) and refunded_kobo <= kobo and ((refunded_kobo = 0)
    or money in ('credited', 'restored'))),
  constraint payments_payer_fee_kind check (kind <> 'revenue' or payer_fee_kobo = 0),
  constraint payments_reason_kobo check ((not ((reason in ('credited_actual_amount', 'coins_taken_back', 'rate_fewer_coins',
    'rate_more_coins', 'paid_less')) is distinct from (reason_kobo is not null))) or (reason is null and reason_kobo is null))
);
create index payments_due on payments (next_attempt_at) where next_attempt_at is not null;
create index payments_of_player on payments (player_id, created_at desc, id);
create index payments_to_look_at on payments (created_at, id) where (status in ('review', 'pending'))
  or refunded_kobo > allocated_kobo or (status = 'reversed' and completed_at is null);
create index payments_under_way on payments (kind) include (kobo) where status in ('pending', 'processing');

-- Webhooks, stored once: they only cause a query, except for disputes.
create table payment_inbox (
  event text not null check (length(event) between 1 and 100),
  reference text not null check (length(reference) between 1 and 200),
  body text not null,
  received_at bigint not null,
  handled_at bigint,
  id bigint generated always as identity not null unique,
  is_dispute_over boolean,
  primary key (event, reference)
);
create index payment_inbox_handled on payment_inbox (handled_at) where handled_at is not null and body <> '{}';

-- Since when and until when a deposit was disputed.
create table deposit_disputes (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payments (id),
  player_id text not null check (length(player_id) between 8 and 36),
  from_at bigint not null,
  until_at bigint,
  check (until_at >= from_at)
);
create index deposit_disputes_of_player on deposit_disputes (player_id);
create unique index deposit_disputes_open on deposit_disputes (payment_id) where until_at is null;

-- Accounts that the provider has verified; `confirmed_at`: money has reached it.
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
create index bank_accounts_confirmed on bank_accounts (bank_code, account_number) where confirmed_at is not null;

-- Pairs who confirmed the same bank account: never paired in a game that begins after `from_at`.
create table shared_bank_accounts (
  player_id text not null check (length(player_id) between 8 and 36),
  other_id text not null,
  from_at bigint not null,
  primary key (player_id, other_id),
  check (length(other_id) between 8 and 36 and other_id > player_id)
);
create index shared_bank_accounts_of_other on shared_bank_accounts (other_id);

-- Since when and until when staff hold a player's withdrawals, with the reason that the player reads.
create table withdrawal_holds (
  id bigint generated always as identity primary key,
  player_id text not null check (length(player_id) between 8 and 36),
  reason text not null check (length(reason) between 1 and 500),
  from_at bigint not null,
  audit_event_id bigint not null references audit_events (id) unique,
  until_at bigint,
  end_audit_event_id bigint references audit_events (id) unique,
  check (until_at >= from_at),
  check ((until_at is null) = (end_audit_event_id is null))
);
create index withdrawal_holds_of_player on withdrawal_holds (player_id);
create unique index withdrawal_holds_open on withdrawal_holds (player_id) where until_at is null;

-- While one is open no transfer is ordered: the database may know less than the provider was told.
-- The comparison that ends it begins at `compare_from`.
create table payout_holds (
  id bigint generated always as identity primary key,
  cause text not null check (cause in ('restore', 'operator', 'database_changed')),
  from_at bigint not null,
  compare_from bigint not null,
  audit_event_id bigint references audit_events (id) unique,
  tried_at bigint,
  until_at bigint,
  ended_by text check (ended_by in ('reconciliation', 'staff', 'another_hold')),
  end_audit_event_id bigint references audit_events (id) unique,
  check (until_at >= from_at),
  check ((until_at is null) = (ended_by is null)),
  check ((cause = 'operator') = (audit_event_id is not null)),
  check ((not (ended_by is distinct from 'staff')) = (end_audit_event_id is not null))
);
create unique index payout_holds_open on payout_holds ((until_at is null)) where until_at is null;

-- The PostgreSQL that payouts were last checked for. Sends and holds lock this row.
create table payout_guard (
  id boolean default true primary key check (id),
  database_identity text
);

insert into payout_guard default values;

-- The daily comparison of all payments with the provider's lists.
create table reconciliations (
  day date primary key,
  started_at bigint not null,
  finished_at bigint,
  settled int not null default 0,
  differences text not null default '[]'
);
