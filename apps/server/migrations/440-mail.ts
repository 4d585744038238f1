/**
 * Mails on their way, written in the transaction of what caused them and sent after it. A row is the queue's place and its record: the
 * body is sealed, since it may hold a link that opens an account, and goes as soon as nobody needs it any more.
 */
export const up = `
  create table outbox (
    id uuid primary key,
    recipient text not null check (length(recipient) <= 254 and recipient !~ '[[:cntrl:][:space:]]'),
    kind text not null check (kind ~ '^[a-z_]{1,40}$'),
    subject text not null check (length(subject) <= 200 and subject !~ '[[:cntrl:]]'),
    sealed_body bytea,
    created_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > created_at),
    attempts int not null default 0,
    next_attempt_at timestamptz not null,
    claimed_until timestamptz,
    sent_at timestamptz,
    given_up_at timestamptz,
    check (sent_at is null or given_up_at is null),
    check ((sealed_body is null) = (sent_at is not null or given_up_at is not null))
  );
  create index outbox_due on outbox (next_attempt_at) where sent_at is null and given_up_at is null;
  create index outbox_by_age on outbox (created_at);
`;
