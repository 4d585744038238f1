-- Money on its way in or out. Instants are ms since 1970, sums kobo or micro-coins.

-- Written before the provider is called, and the queue itself. `step` and the sums follow from `payment_facts`, `status` and
-- `reason` are what the player reads. `questions` counts what else than the clock wanted the provider asked. `part_of`: the
-- withdrawal whose marked coins it has, which wait.
create table payments (
  id uuid primary key,
  kind text not null check (kind in ('deposit', 'withdrawal', 'revenue')),
  player_id text not null check (length(player_id) between 8 and 36),
  command_id text not null check (command_id ~ '^[A-Za-z0-9_-]{8,36}$'),
  part_of uuid references payments (id),
  kobo bigint not null check (kobo between 1 and 100000000000),
  rate_kobo int not null check (rate_kobo > 0),
  coins bigint not null check (coins between 1 and 9000000000000000),
  payer_fee_kobo bigint not null default 0 check (payer_fee_kobo >= 0),
  reference text not null check (reference ~ '^[a-z0-9-]{16,50}$') unique,
  authorization_url text check (length(authorization_url) <= 2000),
  bank_code text,
  bank_name text,
  account_number text check (account_number ~ '^[0-9]{10}$'),
  account_name text,
  recipient_code text,
  day_limit int,
  created_at bigint not null,
  last_fact int not null default 0,
  step text not null check (step = any (case kind when 'deposit' then array['open', 'credited', 'refunding', 'closed', 'with_staff']
    else array['held', 'sent', 'paid', 'returned', 'with_staff'] end)),
  in_kobo bigint not null default 0 check (in_kobo >= 0),
  back_kobo bigint not null default 0 check (back_kobo between 0 and in_kobo),
  kept_kobo bigint not null default 0 check (kept_kobo between 0 and in_kobo - back_kobo),
  credited_kobo bigint not null default 0 check (credited_kobo >= kept_kobo),
  credit_rate_kobo int check ((credit_rate_kobo is null) = (credited_kobo = 0)),
  is_back boolean not null default false,
  sent_kobo bigint not null default 0 check (sent_kobo >= 0),
  written_off_kobo bigint not null default 0 check (written_off_kobo >= 0),
  borne_fee_kobo bigint not null default 0 check (borne_fee_kobo between 0 and in_kobo),
  fee_kobo bigint check (fee_kobo >= 0),
  paid_at bigint,
  sent_at bigint,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'reversed', 'abandoned', 'review')),
  reason text,
  reason_kobo bigint check (reason_kobo > 0),
  completed_at bigint,
  next_ask_at bigint,
  attempts int not null default 0,
  questions int not null default 0,
  claimed_until bigint,
  sending_since bigint,
  slow_since bigint,
  unique (player_id, command_id),
  check ((kind = 'deposit') = (account_number is null)),
  check (account_number is null or (bank_code is not null and bank_name is not null and account_name is not null)),
  check (kind = 'deposit' or (in_kobo = 0 and credited_kobo = 0 and paid_at is null)),
  check (kind <> 'deposit' or (sent_kobo = 0 and not is_back and sent_at is null)),
  check ((status = 'review') <= (step in ('with_staff', 'credited'))),
  check (day_limit is null or (day_limit > 0 and kind = 'withdrawal')),
  check (part_of is null or (kind = 'withdrawal' and day_limit is null)),
  constraint payments_payer_fee_kind check (kind <> 'revenue' or payer_fee_kobo = 0)
);
create index payments_due on payments (next_ask_at) where next_ask_at is not null;
create index payments_of_player on payments (player_id, created_at desc, id);
create unique index payments_parts on payments (part_of) where part_of is not null;
create index payments_with_staff on payments (created_at, id) where status in ('review', 'pending') or step = 'with_staff';
create index payments_under_way on payments (kind) include (kobo) where status in ('pending', 'processing');

-- What the provider said and what was done about it, in order: all else about a payment follows from it. No personal data.
-- `named_at`: an instant that the provider names. An answer that says nothing new is not stored.
create table payment_facts (
  payment_id uuid not null references payments (id),
  number int not null check (number >= 1),
  at bigint not null,
  type text not null check (type in ('charge', 'dispute', 'posted', 'refund_sent', 'transfer', 'waits', 'sent', 'unsent', 'resend', 'paid',
    'returned', 'taken', 'to_staff', 'wrote_off', 'closed')),
  outcome text check (length(outcome) between 1 and 40),
  kobo bigint check (kobo >= 0),
  back_kobo bigint check (back_kobo >= 0),
  fee_kobo bigint check (fee_kobo >= 0),
  rate_kobo int check (rate_kobo > 0),
  refund text check (refund in ('none', 'open', 'failed', 'processed')),
  provider_id text check (length(provider_id) between 1 and 40),
  channel text check (length(channel) between 1 and 40),
  named_at bigint,
  audit_event_id bigint references audit_events (id),
  primary key (payment_id, number)
);
create index payment_facts_of_charge on payment_facts (provider_id) where type = 'charge';
create trigger payment_facts_append_only before delete or update or truncate on payment_facts
  for each statement execute function payment_facts_refuse_change();

-- What staff ordered about a payment with them. Above a sum it waits for a second member (ruling 58).
create table payment_corrections (
  id uuid primary key,
  payment_id uuid not null references payments (id),
  act text not null check (act in ('credit', 'debit', 'refund', 'send_again', 'write_off')),
  kobo bigint not null check (kobo >= 0),
  last_fact int not null,
  reason text not null check (length(reason) between 1 and 500),
  proposed_by text not null check (length(proposed_by) between 8 and 36),
  proposed_at bigint not null,
  confirmed_by text check (length(confirmed_by) between 8 and 36),
  ended_at bigint,
  outcome text check (outcome in ('done', 'void')),
  audit_event_id bigint references audit_events (id) unique,
  check ((ended_at is null) = (outcome is null)),
  check ((outcome is not distinct from 'done') = (audit_event_id is not null))
);
create unique index payment_corrections_open on payment_corrections (payment_id) where outcome is null;
create index payment_corrections_by_member on payment_corrections (proposed_by, proposed_at);

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

-- The daily comparison with the provider's lists, which began at `compared_from`.
create table reconciliations (
  day date primary key,
  started_at bigint not null,
  finished_at bigint,
  compared_from bigint,
  asked int not null default 0,
  differences text not null default '[]'
);
