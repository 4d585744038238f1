/** What players tell the house of each other and of games; a queue for admins. The same report made again is the same row. */
export const up = `
  create table reports (
    id uuid primary key,
    reporter_id text not null,
    game_id uuid not null references games (id),
    player_id text check (player_id <> reporter_id),
    reason text not null check (reason in ('cheating', 'abuse', 'stalling', 'fault', 'other')),
    text text not null check (length(text) <= 500),
    state text not null default 'open' check (state in ('open', 'closed')),
    created_at timestamptz not null
  );
  create unique index reports_once on reports (reporter_id, game_id, coalesce(player_id, ''));
  create index reports_by_reporter on reports (reporter_id, created_at);
  create index reports_open on reports (created_at) where state = 'open';
`;
