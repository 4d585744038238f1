/** Names each stored webhook, for the operator's command that replays one. */
export const up = `
  alter table payment_inbox add column id bigint generated always as identity unique;
  create index payment_inbox_handled on payment_inbox (handled_at) where handled_at is not null and body <> '{}';
  create index game_commands_by_time on game_commands (at);
`;
