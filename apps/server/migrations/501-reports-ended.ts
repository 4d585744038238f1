/**
 * How the house ended a report: what came of it, the note of who ended it, and the act that says so. An open report has none of it.
 */
export const up = `
  alter table reports add column outcome text check (outcome in ('acted', 'nothing_found', 'unclear'));
  alter table reports add column note text check (length(note) between 1 and 500);
  alter table reports add column ended_at bigint;
  alter table reports add column act_id bigint unique references admin_acts (id);
  alter table reports add constraint reports_ended_whole check (
    (state = 'closed') = (outcome is not null) and (state = 'closed') = (note is not null)
    and (state = 'closed') = (ended_at is not null) and (state = 'closed') = (act_id is not null));
  create index reports_by_player on reports (player_id, created_at);
`;
